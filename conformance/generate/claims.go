package generate

import (
	"fmt"
	"strings"
)

// Expressions that upstream accepts, and some that it refuses: for their types, their cost or what they name.
var (
	selectors = []string{
		"true",
		`device.driver == "gpu.example.com"`,
		`device.attributes["gpu.example.com"].model == "a100"`,
		`"gpu.example.com" in device.attributes && device.capacity["gpu.example.com"].memory.compareTo(quantity("10Gi")) >= 0`,
		"true" + strings.Repeat(" ", 10240-4),
	}
	longSelector = "true" + strings.Repeat(" ", 10240-3)
	derivations  = []string{`device.driver`, `"a" + device.driver`, `1`, `true`}
	doubtful     = []string{
		`1`, `"a"`, `device.x`, `devic.driver`, `device.driver.startWith("a")`, `device.attributes["a"].b.exists(x, x)`, `[1, "a"]`,
		`device.attributes["a"].b`, `device.capacity["a"].b`, `device.driver`, `1.5`, `[1.5]`, `["a"]`, `{"a": 1}`, `duration("x") == duration("1s")`,
		`int("x") == 1`, `"a".matches("(")`, `"a".find("(") == "a"`, `type(1) == int`, `device.capacity["a"].b != quantity("1")`,
		`device.attributes["a"].b.includes(1)`, `device.allowMultipleAllocations`, `semver("1.0.0")`, `quantity("1Gi")`, `optional.of(true)`,
		`lists.range(100000).all(i, lists.range(100000).all(j, i == j))`, `device.driver == 1`, `size(device.attributes) > 0`, `dyn(true)`, `null`,
		`device.attributes.all(d, device.attributes[d].all(k, k.matches("a+")))`, `["a"].join("-") == "a"`, `a && b && c`, `"%s".format([device.driver]) == "a"`,
	}
)

// ResourceClaim in the shape of v1, without status.
func (s *Source) ResourceClaim() Object {
	claim := Object{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": s.Metadata(true), "spec": s.claimSpec()}
	if s.Chance(0.1) {
		claim["status"] = s.claimStatus(claim)
	}
	return claim
}

// ResourceClaimTemplate in the shape of v1.
func (s *Source) ResourceClaimTemplate() Object {
	spec := Object{"spec": s.claimSpec()}
	s.Maybe(0.3, spec, "metadata", func() any {
		meta := Object{}
		s.Maybe(0.5, meta, "labels", func() any { return s.labels() })
		s.Maybe(0.5, meta, "annotations", func() any { return s.annotations() })
		if s.Bad() {
			s.foreignMetadata(meta)
		}
		return meta
	})
	return Object{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate", "metadata": s.Metadata(true), "spec": spec}
}

// foreignMetadata sets what a template's metadata may not have.
func (s *Source) foreignMetadata(meta Object) {
	for range 1 + s.Below(3) {
		switch s.IntN(10) {
		case 0:
			meta["name"] = "a"
		case 1:
			meta["generateName"] = "a"
		case 2:
			meta["namespace"] = "a"
		case 3:
			meta["uid"] = "a"
		case 4:
			meta["resourceVersion"] = "1"
		case 5:
			meta["generation"] = int64(1)
		case 6:
			meta[Pick(s, "creationTimestamp", "deletionTimestamp")] = s.time()
		case 7:
			meta["finalizers"] = s.finalizers()
		case 8:
			meta["ownerReferences"] = List{s.ownerReference()}
		case 9:
			meta["deletionGracePeriodSeconds"] = int64(1)
			meta["selfLink"] = "a"
			meta["managedFields"] = List{s.managedFields()}
		}
	}
}

func (s *Source) claimSpec() Object {
	devices := Object{}
	size := s.Size(3, 32)
	requests := Fill(size, func(i int) any { return s.request(i, size) })
	devices["requests"] = requests
	names := requestNames(requests)
	s.Maybe(0.3, devices, "constraints", func() any {
		return Fill(s.Size(2, 32), func(int) any { return s.constraint(names) })
	})
	if derived := derivedNames(requests); len(derived) > 0 && s.Chance(0.8) {
		devices["constraints"] = Fill(len(derived), func(i int) any {
			constraint := Object{Pick(s, "matchAttribute", "distinctAttribute"): derived[i]}
			s.Maybe(0.3, constraint, "requests", func() any { return s.references(names) })
			return constraint
		})
	}
	s.Maybe(0.3, devices, "config", func() any {
		return Fill(s.Size(2, 32), func(int) any {
			config := s.config()
			s.Maybe(0.6, config, "requests", func() any { return s.references(names) })
			return config
		})
	})
	return Object{"devices": devices}
}

func (s *Source) request(i, size int) Object {
	request := Object{}
	s.required(request, "name", s.unique("req", i))
	first := s.Chance(0.3)
	if first != s.Bad() {
		count := 1 + s.Size(2, 7)
		request["firstAvailable"] = Fill(count, func(i int) any { return s.subrequest(i) })
	}
	if !first && !s.Bad() {
		request["exactly"] = s.exactly(size)
	}
	return request
}

func (s *Source) exactly(size int) Object {
	exactly := s.deviceRequest(size)
	s.Maybe(0.15, exactly, "adminAccess", func() any { return s.bool() })
	return exactly
}

func (s *Source) subrequest(i int) Object {
	request := s.deviceRequest(8)
	s.required(request, "name", s.unique("sub", i))
	return request
}

// deviceRequest is what exact and alternative requests share; in a long list they are kept small.
func (s *Source) deviceRequest(size int) Object {
	request := Object{}
	s.required(request, "deviceClassName", s.Text(goodDomains, badDomains))
	if size > 8 {
		return request
	}
	s.Maybe(0.3, request, "selectors", func() any { return s.selectors() })
	s.allocationMode(request)
	s.Maybe(0.2, request, "tolerations", func() any { return Fill(s.Size(2, 17), func(int) any { return s.toleration() }) })
	s.Maybe(0.2, request, "capacity", func() any { return Object{"requests": s.quantityMap()} })
	s.Maybe(0.15, request, "derivedAttributes", func() any { return Fill(s.Size(2, 32), func(i int) any { return s.derivedAttribute(i) }) })
	return request
}

func (s *Source) allocationMode(request Object) {
	s.Maybe(0.5, request, "allocationMode", func() any {
		return s.Text([]string{"ExactCount", "ExactCount", "All"}, []string{"", "all", "Some"})
	})
	if (request["allocationMode"] != "All" || s.Bad()) && s.Chance(0.5) {
		request["count"] = s.number(1, 2, 8)
	}
}

func (s *Source) selectors() List {
	return Fill(s.Size(2, 32), func(i int) any {
		selector := Object{}
		if s.Bad() {
			if s.Chance(0.1) {
				selector["cel"] = Object{"expression": longSelector}
			}
			return selector
		}
		expressions := selectors[:4]
		if s.Chance(0.08) {
			expressions = doubtful
		}
		if i == 0 && s.Chance(0.02) {
			expressions = selectors
		}
		selector["cel"] = Object{"expression": Pick(s, expressions...)}
		return selector
	})
}

func (s *Source) toleration() Object {
	toleration := Object{}
	s.Maybe(0.8, toleration, "key", func() any { return s.Text(goodTaints, badTaints) })
	s.Maybe(0.7, toleration, "operator", func() any { return s.Text([]string{"Exists", "Equal"}, []string{"", "exists", "In"}) })
	if toleration["operator"] != "Exists" || s.Bad() {
		s.Maybe(0.7, toleration, "value", func() any { return s.Text(goodValues, badValues) })
	}
	s.Maybe(0.5, toleration, "effect", func() any {
		return s.Text([]string{"NoSchedule", "NoExecute", "None", ""}, []string{"PreferNoSchedule", "no"})
	})
	s.Maybe(0.2, toleration, "tolerationSeconds", func() any { return s.number(0, 5) })
	return toleration
}

func (s *Source) quantityMap() Object {
	amounts := Object{}
	for range s.Below(3) {
		amounts[s.key()] = s.quantity()
	}
	return amounts
}

func (s *Source) derivedAttribute(i int) Object {
	attribute := Object{"expression": Pick(s, derivations...)}
	if s.Chance(0.1) {
		attribute["expression"] = Pick(s, doubtful...)
	}
	switch {
	case s.Bad():
		s.required(attribute, "name", s.fqn())
	case i < len(goodFQNs):
		attribute["name"] = goodFQNs[i]
	default:
		attribute["name"] = fmt.Sprintf("a.b/x%d", i)
	}
	return attribute
}

// derivedNames are those that constraints must use.
func derivedNames(requests List) []string {
	names := []string{}
	collectNames := func(request Object) {
		eachObject(request["derivedAttributes"], func(attribute Object) {
			if name, ok := attribute["name"].(string); ok {
				names = append(names, name)
			}
		})
	}
	eachObject(requests, func(request Object) {
		exactly, _ := request["exactly"].(Object)
		collectNames(exactly)
		eachObject(request["firstAvailable"], collectNames)
	})
	return names
}

// requestNames are all names a reference may use.
func requestNames(requests List) []string {
	names := []string{}
	eachObject(requests, func(request Object) {
		name, _ := request["name"].(string)
		names = append(names, name)
		eachObject(request["firstAvailable"], func(sub Object) {
			subname, _ := sub["name"].(string)
			names = append(names, name+"/"+subname)
		})
	})
	return names
}

func (s *Source) reference(names []string) string {
	if len(names) > 0 && !s.Bad() {
		return Pick(s, names...)
	}
	return Pick(s, "", "x", "req-0/x", "req-0/sub-0/x", "A/b", "/", "req-0/", "req-0", "req-0/sub-0", "req-1/A_", label63+"x", "a.b")
}

func (s *Source) references(names []string) List {
	if !s.Bad() && len(names) > 0 {
		start := s.IntN(len(names))
		return Fill(min(1+s.Below(2), len(names)-start), func(i int) any { return names[start+i] })
	}
	return Fill(s.Size(3, 32), func(int) any { return s.reference(names) })
}

func (s *Source) constraint(names []string) Object {
	constraint := Object{}
	s.Maybe(0.7, constraint, "requests", func() any { return s.references(names) })
	if !s.Bad() {
		constraint["matchAttribute"] = s.fqn()
	}
	if s.Chance(0.2) || s.Bad() {
		constraint["distinctAttribute"] = s.fqn()
		if s.Chance(0.7) {
			delete(constraint, "matchAttribute")
		}
	}
	return constraint
}

func (s *Source) config() Object {
	config := Object{}
	opaque := Object{}
	s.required(opaque, "driver", s.driver())
	s.required(opaque, "parameters", s.parameters())
	s.required(config, "opaque", opaque)
	return config
}
