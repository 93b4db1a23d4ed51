package generate

import "strings"

// DeviceClass in the shape of v1.
func (s *Source) DeviceClass() Object {
	spec := Object{}
	s.Maybe(0.6, spec, "selectors", func() any { return s.selectors() })
	s.Maybe(0.5, spec, "config", func() any { return Fill(s.Size(2, 32), func(int) any { return s.config() }) })
	s.Maybe(0.4, spec, "extendedResourceName", func() any {
		return s.Text([]string{"example.com/gpu", "a.b/c", "example.com/A.b_c", "deviceclass.resource.kubernetes.io/x"},
			[]string{"", "gpu", "kubernetes.io/gpu", "requests.example.com/gpu", "a.kubernetes.io/x", "example.com/", "/gpu", "a/b/c",
				"example.com/" + label63, "example.com/" + label63 + "x", "Example.com/gpu", "example.com/-", subdomain + "/x", subdomain[:244] + "/x", subdomain[:245] + "/x", "a b/c"})
	})
	return Object{"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": s.Metadata(false), "spec": spec}
}

// DeviceTaintRule in the shape of v1.
func (s *Source) DeviceTaintRule() Object {
	spec := Object{"taint": s.taint()}
	s.Maybe(0.8, spec, "deviceSelector", func() any {
		selector := Object{}
		s.Maybe(0.6, selector, "driver", func() any { return s.driver() })
		s.Maybe(0.5, selector, "pool", func() any { return s.pool() })
		s.Maybe(0.4, selector, "device", func() any { return s.label() })
		return selector
	})
	rule := Object{"apiVersion": "resource.k8s.io/v1", "kind": "DeviceTaintRule", "metadata": s.Metadata(false), "spec": spec}
	s.Maybe(0.3, rule, "status", func() any { return s.ruleStatus() })
	return rule
}

func (s *Source) ruleStatus() Object {
	status := Object{}
	s.Maybe(0.9, status, "conditions", func() any { return Fill(s.Size(3, 8), func(i int) any { return s.condition(i) }) })
	return status
}

// ResourcePoolStatusRequest in its only version.
func (s *Source) ResourcePoolStatusRequest() Object {
	spec := Object{}
	s.required(spec, "driver", s.driver())
	s.Maybe(0.5, spec, "poolName", func() any { return s.pool() })
	s.Maybe(0.5, spec, "limit", func() any {
		if s.Bad() {
			return Pick[int64](s, 0, -1, 1001, 1, 1000)
		}
		return Pick[int64](s, 1, 100, 1000)
	})
	s.Maybe(0.4, spec, "defaultPartitionTypeAttribute", func() any { return s.fqn() })
	request := Object{"apiVersion": "resource.k8s.io/v1alpha3", "kind": "ResourcePoolStatusRequest", "metadata": s.Metadata(false), "spec": spec}
	s.Maybe(0.2, request, "status", func() any { return s.poolRequestStatus() })
	return request
}

func (s *Source) poolRequestStatus() Object {
	status := Object{}
	s.required(status, "poolCount", s.number(0, 1, 5))
	s.Maybe(0.8, status, "pools", func() any {
		size := s.Size(2, 20)
		if s.Faults > 0 && s.Chance(0.002) {
			size = Pick(s, 1000, 1001)
		}
		return Fill(size, func(i int) any { return s.poolStatus(i, size) })
	})
	s.Maybe(0.6, status, "conditions", func() any { return Fill(s.Size(2, 10), func(i int) any { return s.condition(i) }) })
	return status
}

func (s *Source) poolStatus(i, size int) Object {
	pool := Object{"generation": s.number(1, 2)}
	s.required(pool, "driver", s.driver())
	s.required(pool, "poolName", s.unique("pool", i))
	for _, field := range []string{"resourceSliceCount", "totalDevices", "allocatedDevices", "availableDevices", "unavailableDevices"} {
		s.Maybe(0.6, pool, field, func() any { return s.number(1, 2, 3) })
	}
	if size > 10 {
		return pool
	}
	s.Maybe(0.3, pool, "nodeName", func() any { return s.domain() })
	s.Maybe(0.3, pool, "validationError", func() any {
		return s.Text([]string{"", "incomplete", strings.Repeat("e", 256)}, []string{strings.Repeat("e", 257), strings.Repeat("ü", 129)})
	})
	s.Maybe(0.3, pool, "partitionSummary", func() any { return Fill(s.Size(2, 32), func(i int) any { return s.partitionSummary(i) }) })
	s.Maybe(0.3, pool, "shareableSummary", func() any { return s.shareableSummary() })
	return pool
}

func (s *Source) partitionSummary(i int) Object {
	summary := Object{}
	s.required(summary, "attribute", s.Text(goodFQNs[:1], append(badFQNs, goodFQNs...)))
	s.required(summary, "type", s.unique("type", i))
	s.Maybe(0.9, summary, "total", func() any { return s.number(1, 5) })
	s.Maybe(0.9, summary, "allocatable", func() any { return s.number(0, 1) })
	return summary
}

func (s *Source) shareableSummary() Object {
	summary := Object{}
	s.Maybe(0.9, summary, "fullyAvailableDevices", func() any { return s.number(0, 1) })
	s.Maybe(0.9, summary, "partiallyAvailableDevices", func() any { return s.number(0, 1) })
	s.Maybe(0.7, summary, "capacity", func() any {
		return Fill(s.Size(3, 32), func(i int) any {
			entry := Object{}
			s.required(entry, "name", s.uniqueKey(i))
			for _, field := range []string{"total", "consumed", "available"} {
				s.Maybe(0.9, entry, field, func() any { return s.quantity() })
			}
			return entry
		})
	})
	return summary
}

func (s *Source) uniqueKey(i int) string {
	if s.Bad() {
		return s.key()
	}
	return "c" + strings.Repeat("c", i%20)
}
