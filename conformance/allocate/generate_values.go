package allocate

import (
	"fmt"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"quadra/conformance/dice"
)

// amount is a quantity of n, spelled in one of several ways.
func (m *maker) amount(n int) resource.Quantity {
	spelling := "%d"
	switch m.some(88, 3, 3, 3, 3) {
	case 1:
		spelling = "%d000m"
	case 2:
		spelling = "%de0"
	case 3:
		spelling = "%d.0"
	case 4:
		if n%2 == 0 {
			return resource.MustParse(fmt.Sprintf("%d00e-2", n))
		}
		return resource.MustParse(fmt.Sprintf("%dE0", n))
	}
	return resource.MustParse(fmt.Sprintf(spelling, n))
}

// fraction is a quantity in tenths.
func (m *maker) fraction(tenths int) resource.Quantity {
	if tenths%10 == 0 {
		return m.amount(tenths / 10)
	}
	return resource.MustParse(fmt.Sprintf(dice.Pick(m, "%d00m", "%d00m", "%d00000u", "%de-1"), tenths))
}

// few is a quantity up to most, of tenths in some worlds.
func (m *maker) few(most int) resource.Quantity {
	if m.fractional && m.Chance(60) {
		return m.fraction(dice.Pick(m, 5, 10, 15, 20, 25, 1+m.IntN(10*most)))
	}
	return m.amount(1 + m.IntN(most))
}

var oddAmounts = []string{"-1", "1e30", "9223372036854775807", "9223372036854775808", "8Ei", "9223372036854776", "9223372036854775", "9223372036854775800", "1n", "0", "500Ti", "1Ki"}

func (m *maker) oddAmount() resource.Quantity { return resource.MustParse(dice.Pick(m, oddAmounts...)) }

// counter is n, or odd.
func (m *maker) counter(n int) resourceapi.Counter {
	if m.IntN(200) == 0 {
		return resourceapi.Counter{Value: m.oddAmount()}
	}
	return resourceapi.Counter{Value: m.amount(n)}
}

var capacityNames = []resourceapi.QualifiedName{"memory", "memory", "gpu.example.com/cores"}

func (m *maker) capacities() map[resourceapi.QualifiedName]resourceapi.DeviceCapacity {
	capacities := map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{}
	for range m.some(5, 75, 20) {
		capacity := resourceapi.DeviceCapacity{Value: m.amount(dice.Pick(m, 4, 8, 16, 32))}
		if m.Chance(1) {
			capacity.Value = m.oddAmount()
		}
		if m.consumable && m.Chance(60) {
			capacity.RequestPolicy = m.policy()
		}
		capacities[dice.Pick(m, capacityNames...)] = capacity
	}
	return capacities
}

func (m *maker) policy() *resourceapi.CapacityRequestPolicy {
	policy := &resourceapi.CapacityRequestPolicy{}
	if m.Chance(80) {
		policy.Default = pointer(m.few(4))
	}
	switch m.some(15, 30, 55) {
	case 1:
		for at := 1; at <= 8 && len(policy.ValidValues) < 4; at += 1 + m.IntN(3) {
			policy.ValidValues = append(policy.ValidValues, m.amount(at))
		}
	case 2:
		policy.ValidRange = m.validRange()
	}
	return policy
}

func (m *maker) validRange() *resourceapi.CapacityRequestPolicyRange {
	bounds := &resourceapi.CapacityRequestPolicyRange{Min: pointer(m.few(3))}
	if m.Chance(50) {
		bounds.Max = pointer(m.amount(1 + m.IntN(14))) // the default may be above
	}
	if m.Chance(65) {
		bounds.Step = pointer(m.few(3))
	}
	if m.fractional && m.Chance(70) {
		bounds.Min, bounds.Step = pointer(m.fraction(5*(1+m.IntN(4)))), pointer(m.fraction(5*(1+m.IntN(3))))
	}
	switch m.some(970, 15, 10, 5) {
	case 1:
		bounds.Max = pointer(m.oddAmount())
	case 2:
		bounds.Step = pointer(resource.MustParse(dice.Pick(m, "1u", "1500u", "4611686018427387904", "4611686018427388")))
	case 3:
		bounds.Min = pointer(resource.MustParse(dice.Pick(m, "0", "-1", "1u")))
	}
	return bounds
}

// capacityRequest asks for capacities that devices have, mostly.
func (m *maker) capacityRequest() *resourceapi.CapacityRequirements {
	requests := map[resourceapi.QualifiedName]resource.Quantity{}
	for range m.some(4, 85, 11) {
		requests[dice.Pick(m, capacityNames...)] = m.few(5)
	}
	if m.Chance(3) {
		requests[dice.Pick[resourceapi.QualifiedName](m, "memory", "memory", "other")] = m.oddAmount()
	}
	return &resourceapi.CapacityRequirements{Requests: requests}
}

// attributeIDs are bare names; the driver may also spell them out.
var attributeIDs = []string{"model", "numa", "ecc", "version", "root"}

func (m *maker) attributes(driver string) map[resourceapi.QualifiedName]resourceapi.DeviceAttribute {
	attributes := map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{}
	for _, id := range attributeIDs {
		chance := 80
		if m.Lean {
			chance = 25
		}
		if !m.Chance(chance) {
			continue
		}
		name := id
		switch {
		case id == "root":
			name = "example.com/root"
		case m.Chance(10):
			name = driver + "/" + id
		}
		attributes[resourceapi.QualifiedName(name)] = m.attribute(id)
	}
	if len(attributes) == 0 {
		return nil
	}
	return attributes
}

func (m *maker) attribute(id string) resourceapi.DeviceAttribute {
	if m.lists && m.Chance(55) || m.Chance(1) {
		return m.list(id)
	}
	switch m.some(979, 20, 1) {
	case 1:
		id = dice.Pick(m, attributeIDs...) // of another type
	case 2:
		return resourceapi.DeviceAttribute{}
	}
	switch id {
	case "numa":
		return resourceapi.DeviceAttribute{IntValue: pointer(int64(m.IntN(3)))}
	case "ecc":
		return resourceapi.DeviceAttribute{BoolValue: pointer(m.Chance(50))}
	case "version":
		return resourceapi.DeviceAttribute{VersionValue: pointer(dice.Pick(m, "1.0.0", "1.0.0", "2.1.0", "1.0.0+b"))}
	}
	return resourceapi.DeviceAttribute{StringValue: pointer(dice.Pick(m, "a", "a", "a", "b", "c"))}
}

func (m *maker) list(id string) resourceapi.DeviceAttribute {
	var value resourceapi.DeviceAttribute
	for range 1 + m.some(30, 50, 20) {
		switch id {
		case "numa":
			value.IntValues = append(value.IntValues, int64(m.IntN(4)))
		case "ecc":
			value.BoolValues = append(value.BoolValues, m.Chance(50))
		case "version":
			value.VersionValues = append(value.VersionValues, dice.Pick(m, "1.0.0", "2.1.0", "3.0.0"))
		default:
			value.StringValues = append(value.StringValues, dice.Pick(m, "a", "b", "c", "d"))
		}
	}
	return value
}

// attributeName is one for a constraint.
func (m *maker) attributeName() resourceapi.FullyQualifiedName {
	id := dice.Pick(m, attributeIDs...)
	switch {
	case id == "root":
		return "example.com/root"
	case m.Chance(2):
		return resourceapi.FullyQualifiedName(dice.Pick(m, "example.com/none", id))
	}
	return resourceapi.FullyQualifiedName(dice.Pick(m, m.drivers...) + "/" + id)
}
