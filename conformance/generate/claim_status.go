package generate

import (
	"fmt"
	"strings"
)

// claimStatus fits the claim's spec unless there are faults.
func (s *Source) claimStatus(claim Object) Object {
	status := Object{}
	if s.Chance(0.8) {
		status["allocation"] = s.allocation(claim)
	}
	if s.Chance(0.5) && (status["allocation"] != nil || s.Bad()) {
		status["reservedFor"] = s.consumers()
	}
	if s.Chance(0.5) && (status["allocation"] != nil || s.Bad()) {
		status["devices"] = s.deviceStatuses(status)
	}
	return status
}

// Path walks the members of nested objects.
func Path(value any, names ...string) any {
	for _, name := range names {
		object, _ := value.(Object)
		value = object[name]
	}
	return value
}

func (s *Source) allocation(claim Object) Object {
	requests, _ := Path(claim, "spec", "devices", "requests").(List)
	names := requestNames(requests)
	devices := Object{}
	s.Maybe(0.95, devices, "results", func() any {
		return Fill(s.Size(3, 32), func(i int) any { return s.allocationResult(names, i) })
	})
	s.Maybe(0.3, devices, "config", func() any {
		return Fill(s.Size(2, 64), func(int) any {
			config := s.config()
			s.required(config, "source", s.Text([]string{"FromClass", "FromClaim"}, []string{"", "Else"}))
			s.Maybe(0.6, config, "requests", func() any { return s.references(names) })
			return config
		})
	})
	allocation := Object{"devices": devices}
	s.Maybe(0.4, allocation, "nodeSelector", func() any { return s.nodeSelector() })
	s.Maybe(0.2, allocation, "allocationTimestamp", func() any { return s.time() })
	return allocation
}

func (s *Source) allocationResult(names []string, i int) Object {
	result := Object{}
	s.required(result, "request", s.reference(names))
	s.required(result, "driver", s.driver())
	s.required(result, "pool", s.pool())
	s.required(result, "device", s.unique("dev", i))
	s.Maybe(0.1, result, "adminAccess", func() any { return s.bool() })
	if i > 3 {
		return result
	}
	s.Maybe(0.15, result, "tolerations", func() any { return Fill(s.Size(2, 17), func(int) any { return s.toleration() }) })
	if s.Chance(0.2) {
		s.bindingConditions(result)
	}
	s.Maybe(0.3, result, "shareID", func() any { return s.uuid() })
	s.Maybe(0.2, result, "consumedCapacity", func() any { return s.quantityMap() })
	s.Maybe(0.15, result, "skipNodeOperations", func() any { return s.skipNodeOperations() })
	return result
}

func (s *Source) consumers() List {
	return Fill(s.Size(3, 256), func(i int) any {
		consumer := Object{}
		s.required(consumer, "resource", s.Text([]string{"pods"}, []string{"", "Pods"}))
		s.required(consumer, "name", s.Text([]string{"pod-1", "pod-2"}, []string{""}))
		s.required(consumer, "uid", s.unique("uid", i))
		s.Maybe(0.1, consumer, "apiGroup", func() any { return s.Text([]string{"", "scheduling.k8s.io"}, []string{"A_"}) })
		return consumer
	})
}

// deviceStatuses are about the devices of the allocation.
func (s *Source) deviceStatuses(status Object) List {
	results, _ := Path(status, "allocation", "devices", "results").(List)
	statuses := List{}
	eachObject(results, func(result Object) {
		if len(statuses) < 3 && s.Chance(0.7) {
			statuses = append(statuses, s.deviceStatus(result))
		}
	})
	if s.Bad() {
		stray := s.allocationResult(nil, 0)
		statuses = append(statuses, s.deviceStatus(stray))
	}
	if len(statuses) > 0 && s.Bad() {
		statuses = append(statuses, Clone(Pick(s, statuses...)))
	}
	return statuses
}

func (s *Source) deviceStatus(result Object) Object {
	status := Object{}
	for _, field := range []string{"driver", "pool", "device", "shareID"} {
		if value, ok := result[field]; ok && !s.Bad() {
			status[field] = value
		}
	}
	if s.Bad() {
		status["shareID"] = s.uuid()
	}
	s.Maybe(0.4, status, "conditions", func() any { return Fill(s.Size(2, 8), func(i int) any { return s.condition(i) }) })
	s.Maybe(0.4, status, "data", func() any { return s.parameters() })
	s.Maybe(0.4, status, "networkData", func() any { return s.networkData() })
	return status
}

func (s *Source) condition(i int) Object {
	condition := Object{}
	s.required(condition, "type", s.conditionType(i))
	s.required(condition, "status", s.Text([]string{"True", "False", "Unknown"}, []string{"", "true"}))
	s.required(condition, "lastTransitionTime", s.time())
	s.required(condition, "reason", s.Text([]string{"Ready", "A_b", strings.Repeat("r", 1024)}, []string{"", "a-b", "1a", strings.Repeat("r", 1025), "a:"}))
	s.required(condition, "message", s.Text([]string{"", "all is well"}, []string{strings.Repeat("m", 32769)}))
	s.Maybe(0.3, condition, "observedGeneration", func() any { return s.number(0, 3) })
	return condition
}

func (s *Source) conditionType(i int) string {
	if s.Bad() {
		return Pick(s, append(badTaints, "Type-0", "Complete", "Failed")...)
	}
	return fmt.Sprintf("Type-%d", i)
}

var (
	goodIPs = []string{"10.9.8.7/24", "2001:db8::1/64", "0.0.0.0/0", "::1/128"}
	badIPs  = []string{"", "10.9.8.7", "010.9.8.7/24", "2001:DB8::1/64", "2001:db8:0::1/64", "1.2.3.4/33", "::ffff:1.2.3.4/120", "a", "10.9.8.7/024", "1.2.3/8", "fe80::1%eth0/64"}
)

func (s *Source) networkData() Object {
	data := Object{}
	s.Maybe(0.6, data, "interfaceName", func() any {
		return s.Text([]string{"eth0", strings.Repeat("e", 256), strings.Repeat("ü", 128)}, []string{strings.Repeat("e", 257), strings.Repeat("ü", 129)})
	})
	s.Maybe(0.6, data, "ips", func() any {
		size := s.Size(2, 16)
		return Fill(size, func(i int) any {
			if size > 4 && !s.Bad() {
				return fmt.Sprintf("10.0.0.%d/24", i)
			}
			if i < len(goodIPs) && !s.Bad() {
				return goodIPs[i]
			}
			return s.Text(goodIPs, badIPs)
		})
	})
	s.Maybe(0.6, data, "hardwareAddress", func() any {
		return s.Text([]string{"ea:9f:cb:40:b1:7b", strings.Repeat("h", 128)}, []string{strings.Repeat("h", 129)})
	})
	return data
}

// ClaimStatusChange is the object of a status update of the stored claim, and the stored claim itself.
func (s *Source) ClaimStatusChange() (object, old Object) {
	faults := s.Faults
	s.Faults *= Pick(s, 0, 0, 1.0)
	old = s.ResourceClaim()
	delete(old, "status")
	s.Store(old)
	s.Maybe(0.7, old, "status", func() any { return s.claimStatus(old) })
	s.Faults = faults
	object = Clone(old).(Object)
	switch s.IntN(6) {
	case 0, 1:
		object["status"] = s.claimStatus(object)
	case 2:
		if status, ok := object["status"].(Object); ok {
			delete(status, Pick(s, "allocation", "reservedFor", "devices"))
		}
	case 3:
		s.changeClaimStatus(object)
	case 4:
		s.changeClaimStatus(object)
		s.changeClaimStatus(object)
	case 5:
		s.Mutate(object)
	}
	return object, old
}

// changeClaimStatus does one thing that schedulers, controllers and drivers do, well or badly.
func (s *Source) changeClaimStatus(claim Object) {
	status, ok := claim["status"].(Object)
	if !ok {
		status = Object{}
		claim["status"] = status
	}
	switch s.IntN(8) {
	case 0:
		status["reservedFor"] = s.consumers()
	case 1:
		if list, ok := status["reservedFor"].(List); ok {
			status["reservedFor"] = append(list, s.consumers()...)
		}
	case 2:
		delete(status, "allocation")
		if s.Chance(0.7) {
			delete(status, "reservedFor")
		}
	case 3:
		status["devices"] = s.deviceStatuses(status)
	case 4:
		if list, ok := status["devices"].(List); ok && len(list) > 0 {
			list[0] = s.deviceStatus(s.allocationResult(nil, 0))
		}
	case 5:
		if results, ok := Path(status, "allocation", "devices", "results").(List); ok && len(results) > 0 {
			Path(status, "allocation", "devices").(Object)["results"] = results[1:]
		}
	case 6:
		status["allocation"] = s.allocation(claim)
	case 7:
		if meta, ok := claim["metadata"].(Object); ok {
			s.changeMetadata(meta)
		}
	}
}
