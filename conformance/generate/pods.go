package generate

import (
	"maps"
	"strings"
)

// PodQuestion is about a Pod, or a kind with a pod template. Only what belongs to Dynamic Resource Allocation varies; the rest
// is valid, and an update leaves it alone.
func (s *Source) PodQuestion() Question {
	s.Faults = Pick(s, 0, 0.02, 0.05, 0.1, 0.25)
	var question Question
	switch n := s.IntN(10); {
	case n < 3:
		question = Question{Operation: "create", Object: s.Pod()}
	case n < 4:
		question = s.podChange()
	case n < 8:
		question = s.podStatusChange()
	default:
		question = s.workload()
	}
	question.FeatureGates = s.podGates()
	return question
}

func (s *Source) podGates() map[string]bool {
	if s.Chance(0.01) {
		return map[string]bool{"ResourceHealthStatus": false} // no server starts so: another gate depends on it
	}
	return Pick(s, nil, nil, nil,
		map[string]bool{"DRANodeAllocatableResources": true}, map[string]bool{"DRANodeAllocatableResources": true},
		map[string]bool{"ResourceHealthStatus": false, "ResourceHealthStatusMessage": false},
		map[string]bool{"ResourceHealthStatusMessage": false})
}

// Pod without status.
func (s *Source) Pod() Object {
	meta := Object{"name": "pod", "namespace": "default"}
	if s.Bad() && s.Chance(0.2) {
		meta["annotations"] = Object{"kubernetes.io/config.mirror": "x"}
	}
	spec := s.podSpec()
	if _, mirror := meta["annotations"]; mirror {
		spec["nodeName"] = "node-1"
	}
	return Object{"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec}
}

func (s *Source) podSpec() Object {
	claims := Fill(s.Below(4), func(i int) any { return s.podClaim(i) })
	names := claimNames(claims)
	spec := Object{"restartPolicy": "Always"}
	if len(claims) > 0 || s.Chance(0.1) {
		spec["resourceClaims"] = claims
	}
	spec["containers"] = Fill(1+s.Below(2), func(i int) any { return s.container("c"+string(rune('0'+i)), names) })
	if s.Chance(0.3) {
		spec["initContainers"] = List{s.container("init", names)}
	}
	if s.Bad() && s.Chance(0.3) {
		spec["resources"] = Object{"requests": Object{"cpu": "8"}, "claims": s.containerClaims(names)}
	}
	return spec
}

func (s *Source) podClaim(i int) Object {
	claim := Object{}
	s.required(claim, "name", s.unique("claim", i))
	direct := s.bool()
	if direct != s.Bad() {
		claim["resourceClaimName"] = s.Text([]string{"my-claim", "a.b"}, badDomains)
	}
	if direct == s.Bad() {
		claim["resourceClaimTemplateName"] = s.Text([]string{"my-template", "a.b"}, badDomains)
	}
	return claim
}

func claimNames(claims List) []string {
	names := []string{}
	eachObject(claims, func(claim Object) {
		name, _ := claim["name"].(string)
		names = append(names, name)
	})
	return names
}

// Extended resources that containers ask for: requests must equal limits, except for those of a device class.
var extendedResources = []string{"example.com/gpu", "deviceclass.resource.kubernetes.io/gpu"}

func (s *Source) container(name string, claims []string) Object {
	resources := Object{}
	if len(claims) > 0 && s.Chance(0.8) || s.Bad() {
		resources["claims"] = s.containerClaims(claims)
	}
	if s.Chance(0.4) {
		amounts := Object{Pick(s, extendedResources...): Pick(s, "1", "2", "0")}
		resources["requests"], resources["limits"] = amounts, maps.Clone(amounts)
	}
	if s.Chance(0.1) || s.Bad() {
		s.Maybe(0.8, resources, "requests", func() any { return s.amounts() })
		s.Maybe(0.8, resources, "limits", func() any { return s.amounts() })
	}
	return Object{"name": name, "image": "image:1", "imagePullPolicy": "Always", "terminationMessagePolicy": "File", "resources": resources}
}

// amounts of resources of all sorts.
func (s *Source) amounts() Object {
	amounts := Object{}
	for range s.Below(4) {
		name := s.Text(append([]string{"cpu", "memory", "example.com/nic"}, extendedResources...),
			[]string{"", "foo", "kubernetes.io/x", "requests.example.com/gpu", "Example.com/gpu", "example.com/", "/x", "a/b/c", "ephemeral-storage", "hugepages-2Mi", "hugepages-",
				"hugepages-1G", "pods", "attachable-volumes-x", "deviceclass.resource.kubernetes.io/", "deviceclass.resource.kubernetes.io/A_", "example.com/" + label63 + "x", "storage", "limits.cpu"})
		amounts[name] = s.Text([]string{"1", "2"}, []string{"0", "-1", "1.5", "1500m", "1Gi", "2Mi", "3Mi", "1n", "0.5", "-1m", "100E"})
	}
	return amounts
}

func (s *Source) containerClaims(names []string) List {
	if s.Bad() {
		names = append([]string{"claim-0", "claim-1", "", "other"}, names...)
		return Fill(1+s.Below(4), func(int) any { return s.containerClaim(Pick(s, names...)) })
	}
	claims := List{}
	for _, name := range names {
		if s.Chance(0.7) {
			claims = append(claims, s.containerClaim(name))
		}
	}
	return claims
}

func (s *Source) containerClaim(name string) Object {
	claim := Object{"name": name}
	s.Maybe(0.4, claim, "request", func() any { return s.Text([]string{"req-0", "req-1"}, badLabels) })
	return claim
}

// podChange updates a stored Pod: a change of its claims is refused as a whole.
func (s *Source) podChange() Question {
	old := s.storedPod()
	object := Clone(old).(Object)
	if s.Chance(0.7) {
		other := s.Pod()
		spec, fresh := object["spec"].(Object), other["spec"].(Object)
		if s.bool() {
			spec["resourceClaims"] = fresh["resourceClaims"]
		} else {
			container := spec["containers"].(List)[0].(Object)
			container["resources"].(Object)["claims"] = s.containerClaims(claimNames(asList(spec["resourceClaims"])))
		}
	}
	return Question{Operation: "update", Object: object, Old: old}
}

func asList(value any) List {
	list, _ := value.(List)
	return list
}

func (s *Source) storedPod() Object {
	faults := s.Faults
	s.Faults *= Pick(s, 0, 0, 0, 1.0)
	pod := s.Pod()
	meta := pod["metadata"].(Object)
	meta["uid"], meta["resourceVersion"], meta["creationTimestamp"] = "u1", "7", s.time()
	s.Maybe(0.5, pod, "status", func() any { return s.podStatus(pod) })
	s.Faults = faults
	return pod
}

func (s *Source) podStatusChange() Question {
	old := s.storedPod()
	object := Clone(old).(Object)
	object["status"] = s.podStatus(object)
	if s.Chance(0.1) {
		delete(object, "status")
	}
	return Question{Operation: "status", Object: object, Old: old}
}

func (s *Source) podStatus(pod Object) Object {
	spec := pod["spec"].(Object)
	status := Object{"phase": "Running"}
	claims := claimNames(asList(spec["resourceClaims"]))
	if len(claims) > 0 && s.Chance(0.7) || s.Bad() {
		status["resourceClaimStatuses"] = s.claimStatuses(claims)
	}
	if extended := s.extendedStatus(spec); len(asList(extended["requestMappings"])) > 0 || s.Bad() {
		status["extendedResourceClaimStatus"] = extended
	}
	s.Maybe(0.4, status, "nodeAllocatableResourceClaimStatuses", func() any {
		return Fill(s.Below(3), func(int) any { return s.nodeAllocatableStatus(spec) })
	})
	s.Maybe(0.5, status, "containerStatuses", func() any { return s.containerStatuses(spec["containers"]) })
	s.Maybe(0.2, status, "initContainerStatuses", func() any { return s.containerStatuses(spec["initContainers"]) })
	if s.Bad() && s.Chance(0.2) {
		status["ephemeralContainerStatuses"] = s.containerStatuses(spec["containers"])
	}
	return status
}

func (s *Source) claimStatuses(claims []string) List {
	if s.Bad() {
		claims = append([]string{"", "claim-0", "claim-0", "nobody"}, claims...)
		s.Shuffle(len(claims), func(i, j int) { claims[i], claims[j] = claims[j], claims[i] })
		claims = claims[:1+s.IntN(len(claims))]
	}
	statuses := List{}
	for _, name := range claims {
		status := Object{"name": name}
		s.Maybe(0.7, status, "resourceClaimName", func() any { return s.Text([]string{"pod-claim-x", "my-claim"}, badDomains) })
		statuses = append(statuses, status)
	}
	return statuses
}

func (s *Source) extendedStatus(spec Object) Object {
	status := Object{}
	s.required(status, "resourceClaimName", s.Text([]string{"pod-extended"}, badDomains))
	mappings := List{}
	eachObject(spec["containers"], func(container Object) {
		requests, _ := Path(container, "resources", "requests").(Object)
		for _, name := range SortedKeys(requests) {
			mappings = append(mappings, s.requestMapping(container["name"].(string), name))
		}
	})
	if s.Bad() {
		mappings = append(mappings, s.requestMapping("c0", extendedResources[0]))
	}
	if len(mappings) > 0 && s.Bad() {
		mappings = append(mappings, Clone(Pick(s, mappings...)))
	}
	status["requestMappings"] = mappings
	return status
}

func (s *Source) requestMapping(container, resource string) Object {
	return Object{
		"containerName": s.Text([]string{container}, []string{"", "nobody", "init", "c1"}),
		"resourceName":  s.Text([]string{resource}, []string{"", "example.com/nic", "cpu"}),
		"requestName":   s.Text([]string{"container-0-request-0", "req-0"}, badLabels),
	}
}

func (s *Source) nodeAllocatableStatus(spec Object) Object {
	name := "my-claim"
	eachObject(spec["resourceClaims"], func(claim Object) {
		if direct, ok := claim["resourceClaimName"].(string); ok {
			name = direct
		}
	})
	status := Object{}
	s.required(status, "resourceClaimName", s.Text([]string{name, "my-claim"}, []string{"", "nobody", "pod-claim-x"}))
	s.Maybe(0.5, status, "containers", func() any { return List{"c0"} })
	resourceName := func() string {
		return s.Text([]string{"cpu", "memory", "hugepages-2Mi"}, []string{"", "ephemeral-storage", "example.com/gpu", "hugepages-"})
	}
	amount := func() any { return s.Text(quantities, []string{"-1", "-1m", "-5Gi"}) }
	s.Maybe(0.6, status, "mapping", func() any {
		return Fill(s.Below(3), func(int) any {
			entry := Object{"name": resourceName()}
			s.Maybe(0.9, entry, "quantity", amount)
			return entry
		})
	})
	s.Maybe(0.6, status, "overhead", func() any {
		return Fill(s.Below(3), func(int) any {
			entry := Object{"name": resourceName()}
			s.Maybe(0.7, entry, "perPod", amount)
			s.Maybe(0.5, entry, "perContainer", amount)
			return entry
		})
	})
	return status
}

func (s *Source) containerStatuses(containers any) List {
	statuses := List{}
	eachObject(containers, func(container Object) {
		status := Object{"name": s.Text([]string{container["name"].(string)}, []string{"nobody"}), "image": "image:1", "imageID": "x", "ready": true, "restartCount": int64(0)}
		s.Maybe(0.8, status, "allocatedResourcesStatus", func() any { return s.allocatedResources(container) })
		statuses = append(statuses, status)
	})
	return statuses
}

func (s *Source) allocatedResources(container Object) List {
	names := []string{}
	eachObject(Path(container, "resources", "claims"), func(claim Object) {
		name, _ := claim["name"].(string)
		if request, ok := claim["request"].(string); ok && request != "" {
			name += "/" + request
		}
		names = append(names, "claim:"+name)
	})
	if requests, ok := Path(container, "resources", "requests").(Object); ok {
		names = append(names, SortedKeys(requests)...)
	}
	if s.Bad() || len(names) == 0 && s.Chance(0.2) {
		names = append(names, Pick(s, "claim:claim-0", "claim:", "claim:claim-0/req-0", "claim:a/b/c", "claim:pod-extended/req-0", "claim:pod-extended", "example.com/gpu", "cpu", ""))
	}
	return Fill(len(names), func(i int) any {
		return Object{"name": names[i], "resources": Fill(s.Below(3), func(j int) any { return s.resourceHealth(j) })}
	})
}

func (s *Source) resourceHealth(i int) Object {
	health := Object{"resourceID": s.unique("d/p/dev", i)}
	s.Maybe(0.9, health, "health", func() any {
		return s.Text([]string{"Healthy", "Unhealthy", "Unknown"}, []string{"", "healthy", "Broken"})
	})
	s.Maybe(0.4, health, "message", func() any {
		return s.Text([]string{"all is well", strings.Repeat("m", 1024)}, []string{"", strings.Repeat("m", 1025), strings.Repeat("ü", 513)})
	})
	return health
}

// workload creates or updates something that makes Pods.
func (s *Source) workload() Question {
	object := s.workloadObject()
	if s.Chance(0.7) {
		return Question{Operation: "create", Object: object}
	}
	old := Clone(object).(Object)
	meta := old["metadata"].(Object)
	meta["uid"], meta["resourceVersion"] = "u1", "7"
	object = Clone(old).(Object)
	if s.bool() {
		s.changeTemplate(object)
	}
	return Question{Operation: "update", Object: object, Old: old}
}

// changeTemplate replaces what the template says about claims.
func (s *Source) changeTemplate(object Object) {
	fresh := s.podSpec()
	for _, path := range [][]string{{"spec", "template", "spec"}, {"template", "spec"}, {"spec", "jobTemplate", "spec", "template", "spec"}} {
		if spec, ok := Path(object, path...).(Object); ok {
			spec["resourceClaims"] = fresh["resourceClaims"]
			spec["containers"] = fresh["containers"]
		}
	}
}

func (s *Source) workloadObject() Object {
	labels := Object{"app": "a"}
	spec := s.podSpec()
	template := Object{"metadata": Object{"labels": labels}, "spec": spec}
	selector := Object{"matchLabels": labels}
	meta := Object{"name": "a", "namespace": "default"}
	object := func(version, kind string, spec Object) Object {
		return Object{"apiVersion": version, "kind": kind, "metadata": meta, "spec": spec}
	}
	switch s.IntN(8) {
	case 0:
		return object("apps/v1", "Deployment", Object{"selector": selector, "template": template})
	case 1:
		return object("apps/v1", "ReplicaSet", Object{"selector": selector, "template": template})
	case 2:
		return object("apps/v1", "StatefulSet", Object{"selector": selector, "template": template, "serviceName": "a"})
	case 3:
		return object("apps/v1", "DaemonSet", Object{"selector": selector, "template": template})
	case 4:
		return object("v1", "ReplicationController", Object{"selector": labels, "template": template})
	case 5:
		return Object{"apiVersion": "v1", "kind": "PodTemplate", "metadata": meta, "template": template}
	case 6:
		spec["restartPolicy"] = "Never"
		return object("batch/v1", "Job", Object{"template": template})
	}
	spec["restartPolicy"] = "Never"
	return object("batch/v1", "CronJob", Object{"schedule": "* * * * *", "jobTemplate": Object{"spec": Object{"template": template}}})
}
