package schedule

import (
	v1 "k8s.io/api/core/v1"

	"quadra/conformance/dice"
	"quadra/conformance/placing"
)

// object is JSON as it is drawn.
type object = map[string]any

// config is one of few, since upstream's scheduler is made anew for each.
func (m *maker) config() any {
	profile := object{"schedulerName": "default-scheduler", "pluginConfig": []object{dice.Pick(m, configured...)}}
	if m.Chance(30) {
		profile["plugins"] = object{"multiPoint": object{"disabled": []object{{"name": "PodTopologySpread"}},
			"enabled": []object{{"name": "InterPodAffinity", "weight": 5}}}}
	}
	return object{"apiVersion": configVersion, "kind": "KubeSchedulerConfiguration", "profiles": []object{profile}}
}

const configVersion = "kubescheduler.config.k8s.io/v1"

func args(plugin string, fields object) object {
	filled := object{"apiVersion": configVersion, "kind": plugin + "Args"}
	for key, value := range fields {
		filled[key] = value
	}
	return object{"name": plugin, "args": filled}
}

func strategy(name string, resources ...object) object {
	return object{"type": name, "resources": resources}
}

func weighed(resource string, weight int) object { return object{"name": resource, "weight": weight} }

func spread(key string, skew int, action v1.UnsatisfiableConstraintAction) object {
	return object{"maxSkew": skew, "topologyKey": key, "whenUnsatisfiable": action}
}

func withShape(strategy object, shape ...object) object {
	strategy["requestedToCapacityRatio"] = object{"shape": shape}
	return strategy
}

func point(utilization, score int) object { return object{"utilization": utilization, "score": score} }

func wants(key string, values ...string) object {
	return object{"matchExpressions": []object{{"key": key, "operator": "In", "values": values}}}
}

var configured = []object{
	args("InterPodAffinity", object{"hardPodAffinityWeight": 100}),
	args("InterPodAffinity", object{"hardPodAffinityWeight": 0, "ignorePreferredTermsOfExistingPods": true}),
	args("PodTopologySpread", object{"defaultingType": "List"}),
	args("PodTopologySpread", object{"defaultingType": "List", "defaultConstraints": []object{
		spread(placing.Zone, 1, v1.DoNotSchedule), spread(placing.Hostname, 2, v1.ScheduleAnyway), spread("disk", 1, v1.ScheduleAnyway)}}),
	args("PodTopologySpread", object{"defaultingType": "List", "defaultConstraints": []object{
		spread(placing.Zone, 2, v1.ScheduleAnyway), spread(placing.Hostname, 1, v1.DoNotSchedule)}}),
	args("NodeResourcesFit", object{"scoringStrategy": strategy("MostAllocated", weighed("cpu", 1), weighed("memory", 3))}),
	args("NodeResourcesFit", object{"scoringStrategy": strategy("LeastAllocated", weighed("cpu", 2), weighed(placing.Plugged, 5))}),
	args("NodeResourcesFit", object{"scoringStrategy": withShape(strategy("RequestedToCapacityRatio", weighed("cpu", 1), weighed("memory", 1)),
		point(0, 0), point(40, 8), point(100, 10))}),
	args("NodeResourcesFit", object{"scoringStrategy": withShape(strategy("RequestedToCapacityRatio", weighed(placing.Plugged, 3), weighed("memory", 1)),
		point(10, 10), point(90, 2))}),
	args("NodeResourcesFit", object{"ignoredResources": []string{placing.Plugged}}),
	args("NodeResourcesFit", object{"ignoredResourceGroups": []string{"example.com"}}),
	args("NodeResourcesBalancedAllocation", object{"resources": []object{weighed("cpu", 1), weighed("memory", 1), weighed(placing.Plugged, 1)}}),
	args("NodeAffinity", object{"addedAffinity": object{"requiredDuringSchedulingIgnoredDuringExecution": object{
		"nodeSelectorTerms": []object{wants("disk", "ssd", "hdd")}}}}),
	args("NodeAffinity", object{"addedAffinity": object{"preferredDuringSchedulingIgnoredDuringExecution": []object{
		{"weight": 10, "preference": wants(placing.Zone, "a")}}}}),
}
