package generate

import (
	"fmt"
	"strings"
)

// ResourceSlice in the shape of v1.
func (s *Source) ResourceSlice() Object {
	spec := Object{"driver": s.driver(), "pool": Object{
		"name": s.pool(), "generation": s.number(0, 1, 7), "resourceSliceCount": s.number(1, 2, 10),
	}}
	s.nodeChoice(spec, "perDeviceNodeSelection")
	perDevice := spec["perDeviceNodeSelection"] == true
	if s.Chance(0.2) {
		spec["sharedCounters"] = Fill(s.Size(3, 8), func(i int) any { return s.counterSet(i) })
	}
	if _, counters := spec["sharedCounters"]; !counters || s.Bad() {
		spec["devices"] = s.devices(perDevice)
	}
	if s.Chance(0.15) {
		s.partitionType(spec)
	}
	s.Maybe(0.1, spec, "skipNodeOperations", func() any { return s.skipNodeOperations() })
	return Object{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": s.Metadata(false), "spec": spec}
}

// partitionType names an attribute; most devices that consume counters have it, fully qualified or in the driver's domain.
func (s *Source) partitionType(spec Object) {
	name := s.Text([]string{"gpu.example.com/type", "gpu.example.com/type", "a.b/c"}, badFQNs)
	spec["partitionTypeAttribute"] = name
	eachObject(spec["devices"], func(device Object) {
		if device["consumesCounters"] == nil || s.Bad() {
			return
		}
		attributes, ok := device["attributes"].(Object)
		if !ok {
			attributes = Object{}
			device["attributes"] = attributes
		}
		attributes[Pick(s, name, name, "type")] = Pick(s, Object{"string": "full"}, Object{"string": "full"}, s.attribute())
	})
}

// nodeChoice sets exactly one of the node fields; as a fault none, two, or an empty one.
func (s *Source) nodeChoice(spec Object, fields ...string) {
	fields = append(fields, "nodeName", "nodeName", "nodeSelector", "allNodes")
	times := 1
	if s.Bad() {
		times = Pick(s, 0, 2, 3)
	}
	for range times {
		switch field := Pick(s, fields...); field {
		case "nodeName":
			spec[field] = s.Text(goodDomains, badDomains)
		case "nodeSelector":
			spec[field] = s.nodeSelector()
		default:
			spec[field] = !s.Bad()
		}
	}
}

func (s *Source) nodeSelector() any {
	terms := 1
	if s.Bad() {
		terms = Pick(s, 0, 2)
	}
	return Object{"nodeSelectorTerms": Fill(terms, func(int) any { return s.nodeSelectorTerm() })}
}

func (s *Source) nodeSelectorTerm() Object {
	term := Object{}
	s.Maybe(0.8, term, "matchExpressions", func() any {
		return Fill(s.Below(3), func(int) any { return s.nodeRequirement(s.Text(goodTaints, badTaints)) })
	})
	s.Maybe(0.3, term, "matchFields", func() any {
		return Fill(s.Below(3), func(int) any { return s.nodeRequirement(s.Text([]string{"metadata.name"}, []string{"", "spec.x"})) })
	})
	return term
}

func (s *Source) nodeRequirement(key string) Object {
	requirement := Object{"key": key, "operator": s.Text([]string{"In"}, []string{"", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Foo"})}
	values := 1
	if s.Bad() {
		values = Pick(s, 0, 2)
	}
	requirement["values"] = Fill(values, func(int) any { return s.Text([]string{"node-1", "a", "5"}, append(badValues, "Node_1")) })
	return requirement
}

func (s *Source) counterSet(i int) Object {
	set := Object{}
	s.required(set, "name", s.unique("set", i))
	s.required(set, "counters", s.counters())
	return set
}

// required sets a field, unless the fault is that it is missing.
func (s *Source) required(object Object, field string, value any) {
	if !s.Bad() {
		object[field] = value
	}
}

func (s *Source) counters() Object {
	counters := Object{}
	for i := range 1 + s.Size(3, 31) {
		counters[s.unique("counter", i)] = Object{"value": s.quantity()}
	}
	return counters
}

func (s *Source) skipNodeOperations() List {
	if s.Bad() {
		return Fill(s.Below(4), func(int) any {
			return Pick(s, "NodePrepareResources", "NodeUnprepareResources", "*", "", "Foo")
		})
	}
	return Pick(s, List{"*"}, List{"NodePrepareResources", "NodeUnprepareResources"}, List{"NodeUnprepareResources"})
}

func (s *Source) devices(perDevice bool) List {
	size := s.Size(3, 128)
	if s.Chance(0.004) {
		size = Pick(s, 64, 65)
	}
	return Fill(size, func(i int) any {
		if i > 2 {
			return s.smallDevice(i, perDevice)
		}
		return s.device(i, perDevice)
	})
}

func (s *Source) smallDevice(i int, perDevice bool) Object {
	device := Object{"name": s.unique("dev", i)}
	if perDevice {
		device["nodeName"] = "n"
	}
	return device
}

func (s *Source) device(i int, perDevice bool) Object {
	device := Object{}
	s.required(device, "name", s.unique("dev", i))
	if perDevice != s.Bad() {
		s.nodeChoice(device)
	}
	s.Maybe(0.6, device, "attributes", func() any { return s.attributes() })
	multiple := s.Chance(0.4)
	if multiple {
		device["allowMultipleAllocations"] = !s.Bad()
	}
	s.Maybe(0.5, device, "capacity", func() any { return s.capacity(multiple != s.Bad()) })
	if s.Chance(0.25) {
		device["consumesCounters"] = Fill(s.Size(2, 2), func(i int) any { return s.consumption(i) })
	}
	if s.Chance(0.2) {
		device["taints"] = Fill(s.Size(2, 16), func(int) any { return s.taint() })
	}
	if s.Chance(0.2) {
		s.bindingConditions(device)
		s.Maybe(0.3, device, "bindsToNode", func() any { return s.bool() })
	}
	s.Maybe(0.15, device, "nodeAllocatableResources", func() any { return s.nodeAllocatable(device["capacity"]) })
	return device
}

func (s *Source) bindingConditions(object Object) {
	object["bindingConditions"] = s.conditionNames("example.com/ready")
	object["bindingFailureConditions"] = s.conditionNames("example.com/failed")
	if s.Bad() {
		delete(object, Pick(s, "bindingConditions", "bindingFailureConditions"))
	}
}

func (s *Source) conditionNames(name string) List {
	return Fill(1+s.Size(1, 3), func(i int) any {
		if s.Bad() {
			return Pick(s, append(badTaints, "example.com/ready-0", "example.com/failed-0", name)...)
		}
		return s.unique(name, i)
	})
}

func (s *Source) attributes() Object {
	attributes := Object{}
	size := s.Size(4, 32)
	for i := range size {
		if i < 6 {
			attributes[s.key()] = s.attribute()
		} else {
			attributes[fmt.Sprintf("a%d", i)] = Object{"int": int64(i)}
		}
	}
	return attributes
}

func (s *Source) attribute() Object {
	attribute := Object{}
	times := 1
	if s.Bad() {
		times = Pick(s, 0, 2, 3)
	}
	for range times {
		s.setAttribute(attribute)
	}
	return attribute
}

func (s *Source) setAttribute(attribute Object) {
	switch s.IntN(9) {
	case 0, 1:
		attribute["int"] = s.number(1, 42)
	case 2:
		attribute["bool"] = s.bool()
	case 3:
		attribute["string"] = s.attributeText()
	case 4:
		attribute["version"] = s.Text(versions, badVersions)
	case 5:
		attribute["ints"] = Fill(s.listSize(), func(int) any { return s.number(1, 2) })
	case 6:
		attribute["bools"] = Fill(s.listSize(), func(int) any { return s.bool() })
	case 7:
		attribute["strings"] = Fill(s.listSize(), func(int) any { return s.attributeText() })
	case 8:
		attribute["versions"] = Fill(s.listSize(), func(int) any { return s.Text(versions, badVersions) })
	}
}

func (s *Source) attributeText() string {
	return s.Text([]string{"a100", "", "ü", strings.Repeat("s", 64)}, []string{strings.Repeat("s", 65), strings.Repeat("ü", 33)})
}

// listSize of a list attribute: never empty, 48 values at most in a device.
func (s *Source) listSize() int {
	if s.Bad() {
		return Pick(s, 0, 47, 48, 49)
	}
	return 1 + s.Below(3)
}

func (s *Source) consumption(i int) Object {
	consumption := Object{}
	s.required(consumption, "counterSet", s.unique("set", i))
	s.required(consumption, "counters", s.counters())
	if s.Chance(0.3) {
		consumption["compatibilityGroups"] = Fill(s.Size(2, 2), func(i int) any {
			return s.Text([]string{s.unique("group", i)}, []string{"group-0", "group-1"})
		})
	}
	return consumption
}

func (s *Source) taint() Object {
	taint := Object{"timeAdded": s.time()}
	s.required(taint, "key", s.Text(goodTaints, badTaints))
	s.Maybe(0.5, taint, "value", func() any { return s.Text(goodValues, badValues) })
	s.required(taint, "effect", s.Text([]string{"None", "NoSchedule", "NoExecute"}, []string{"", "PreferNoSchedule", "noexecute"}))
	if s.Chance(0.1) {
		delete(taint, "timeAdded")
	}
	return taint
}

func (s *Source) nodeAllocatable(capacity any) Object {
	resources := Object{}
	for range 1 + s.Below(2) {
		name := s.Text([]string{"cpu", "memory", "hugepages-2Mi"}, []string{"", "ephemeral-storage", "hugepages-", "example.com/gpu", "CPU", "hugepages-abc", "pods"})
		resources[name] = s.nodeAllocatableResource(capacity)
	}
	return resources
}

func (s *Source) nodeAllocatableResource(capacity any) Object {
	resource := Object{}
	if s.Chance(0.7) != s.Bad() {
		resource["mapping"] = s.nodeMapping(capacity)
	}
	if s.Chance(0.5) {
		overhead := Object{}
		s.Maybe(0.7, overhead, "perPod", func() any { return s.Text(quantities, []string{"-1", "-1m", "-1Gi"}) })
		s.Maybe(0.5, overhead, "perContainer", func() any { return s.Text(quantities, []string{"-1", "-1m", "-1Gi"}) })
		resource["overhead"] = overhead
	}
	return resource
}

func (s *Source) nodeMapping(capacity any) Object {
	mapping := Object{}
	if s.Chance(0.6) {
		mapping["capacityKey"] = s.Text(goodKeys, append(badKeys, "", "", ""))
		if entries, ok := capacity.(Object); ok && !s.Bad() {
			for _, key := range SortedKeys(entries) {
				mapping["capacityKey"] = key
			}
		}
		s.required(mapping, "capacityMultiplier", s.quantity())
	}
	if len(mapping) == 0 != s.Bad() {
		mapping["deviceMultiplier"] = s.quantity()
	}
	if s.Bad() {
		mapping["capacityMultiplier"] = s.quantity()
	}
	return mapping
}
