package generate

import "fmt"

// Entries of a device's capacity; requestPolicy is legal only for devices that can be shared.
func (s *Source) capacity(policies bool) Object {
	capacity := Object{}
	for i := range s.Size(2, 32) {
		entry := Object{"value": s.quantity()}
		if policies && s.Chance(0.6) {
			entry["requestPolicy"] = s.requestPolicy(entry)
		}
		if i < 4 {
			capacity[s.key()] = entry
		} else {
			capacity[fmt.Sprintf("c%d", i)] = entry
		}
	}
	return capacity
}

// requestPolicy is consistent with a capacity of 100 units, whole or in halves, unless there is a fault.
func (s *Source) requestPolicy(entry Object) Object {
	policy := Object{}
	unit := Pick(s, "", "", "Gi", "m", "00m")
	entry["value"] = s.amount("100", unit)
	kind := s.IntN(4)
	if kind == 0 || kind == 3 && s.Bad() {
		policy["default"] = s.amount("2", unit)
		policy["validValues"] = s.validValues(unit)
	}
	if kind == 1 || kind == 3 && s.Bad() {
		policy["default"] = s.amount("4", unit)
		policy["validRange"] = s.validRange(unit)
	}
	if kind == 2 {
		policy["default"] = s.quantity()
	}
	if s.Bad() {
		delete(policy, "default")
	}
	return policy
}

// amount is the number with its unit; as a fault any other.
func (s *Source) amount(number, unit string) string {
	switch {
	case !s.Bad():
		return number + unit
	case s.Chance(0.6):
		return Pick(s, "0", "1", "2", "3", "5", "99", "100", "101", "150", "0.5", "1.5", "-1") + unit
	}
	return Pick(s, append(oddAmounts, quantities...)...)
}

func (s *Source) validValues(unit string) List {
	numbers := []string{"1", "2", "3", "4", "5", "10", "20", "30", "40", "50", "60"}
	size := 2 + s.Size(3, 8)
	return Fill(size, func(i int) any { return s.amount(numbers[i], unit) })
}

func (s *Source) validRange(unit string) Object {
	limits := Object{}
	s.required(limits, "min", s.amount("2", unit))
	s.Maybe(0.6, limits, "max", func() any { return s.amount("50", unit) })
	s.Maybe(0.6, limits, "step", func() any { return s.amount("2", unit) })
	return limits
}
