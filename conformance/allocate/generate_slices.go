package allocate

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"

	"quadra/conformance/dice"
)

var drivers = []string{"gpu.example.com", "gpu.example.com", "nic.example.com", "a"}

// makeSlices publishes one to three pools.
func (m *maker) makeSlices() {
	for pool := range 1 + m.weigh([]int{85, 15}, 50, 38, 12) {
		m.makePool(dice.Pick(m, m.drivers...), fmt.Sprintf("%s%d", dice.Pick(m, "pool-", "pool-", "p/", "Z"), pool))
	}
	if m.Chance(50) {
		m.Shuffle(len(m.slices), func(i, j int) { m.slices[i], m.slices[j] = m.slices[j], m.slices[i] })
	}
}

func (m *maker) published() []any {
	objects := make([]any, len(m.slices))
	for i, slice := range m.slices {
		objects[i] = slice
	}
	return objects
}

// target says for which nodes a slice or device is.
type target struct {
	nodeName     *string
	nodeSelector *v1.NodeSelector
	allNodes     *bool
}

func (m *maker) target() target {
	switch m.some(70, 15, 14, 1) {
	case 0:
		return target{nodeName: pointer(dice.Pick(m, askedNode, askedNode, askedNode, askedNode, askedNode, askedNode, askedNode, askedNode, askedNode, "node-2"))}
	case 1:
		return target{allNodes: pointer(!m.Chance(4))}
	case 2:
		return target{nodeSelector: m.nodeSelector()}
	}
	return target{}
}

func (m *maker) nodeSelector() *v1.NodeSelector {
	selector := &v1.NodeSelector{}
	for range 1 + m.some(94, 4) {
		selector.NodeSelectorTerms = append(selector.NodeSelectorTerms, m.nodeSelectorTerm())
	}
	return selector
}

func (m *maker) nodeSelectorTerm() v1.NodeSelectorTerm {
	var term v1.NodeSelectorTerm
	for range m.some(10, 75, 15) {
		term.MatchExpressions = append(term.MatchExpressions, dice.Pick(m, m.requirements()...))
	}
	if len(term.MatchExpressions) == 0 || m.Chance(10) {
		term.MatchFields = []v1.NodeSelectorRequirement{{Key: "metadata.name", Operator: dice.Pick(m, v1.NodeSelectorOpIn, v1.NodeSelectorOpIn,
			v1.NodeSelectorOpIn, v1.NodeSelectorOpNotIn), Values: []string{dice.Pick(m, askedNode, askedNode, askedNode, "node-2")}}}
	}
	return term
}

func (m *maker) requirements() []v1.NodeSelectorRequirement {
	values := dice.Pick(m, []string{"a"}, []string{"a", "b"}, []string{"b", "a"}, []string{"a", "c"})
	in := v1.NodeSelectorRequirement{Key: "zone", Operator: v1.NodeSelectorOpIn, Values: values}
	kinds := []v1.NodeSelectorRequirement{in, in, in,
		{Key: "zone", Operator: v1.NodeSelectorOpExists},
		{Key: "other", Operator: v1.NodeSelectorOpDoesNotExist},
		{Key: "zone", Operator: v1.NodeSelectorOpNotIn, Values: []string{"b"}},
		{Key: "rank", Operator: dice.Pick(m, v1.NodeSelectorOpGt, v1.NodeSelectorOpLt), Values: []string{"3"}}}
	if m.Chance(3) {
		return append(kinds, v1.NodeSelectorRequirement{Key: "zone", Operator: dice.Pick(m, v1.NodeSelectorOpIn, "Odd")})
	}
	return kinds
}

func (m *maker) makePool(driver, name string) {
	pool := resourceapi.ResourcePool{Name: name, Generation: int64(m.some(20, 70, 10))}
	shared, perDevice := m.target(), m.partitions && m.Chance(30) || m.Chance(4)
	first := len(m.slices)
	counters := []resourceapi.CounterSet(nil)
	if m.partitions && m.Chance(85) {
		counters = m.counterSets()
		slice := m.newSlice(driver, pool, shared, false)
		slice.Spec.SharedCounters = counters
	}
	for range 1 + m.weigh([]int{88, 12}, 70, 22, 8) {
		slice := m.newSlice(driver, pool, shared, perDevice)
		if m.Chance(3) && slice.Spec.NodeName != nil {
			slice.Spec.NodeName = pointer("node-2") // a pool of two nodes
		}
		m.fill(slice, counters, perDevice)
		if m.Chance(4) {
			shared = m.target()
		}
	}
	m.count(first)
	m.spoil(first)
}

func (m *maker) newSlice(driver string, pool resourceapi.ResourcePool, at target, perDevice bool) *resourceapi.ResourceSlice {
	slice := &resourceapi.ResourceSlice{TypeMeta: meta("ResourceSlice")}
	slice.Name = m.name("s")
	slice.Spec.Driver, slice.Spec.Pool = driver, pool
	if perDevice {
		slice.Spec.PerDeviceNodeSelection = pointer(true)
	} else {
		slice.Spec.NodeName, slice.Spec.NodeSelector, slice.Spec.AllNodes = at.nodeName, at.nodeSelector, at.allNodes
	}
	if !perDevice && m.Chance(1) {
		slice.Spec.PerDeviceNodeSelection = pointer(m.Chance(50))
	}
	if m.skip && m.Chance(60) {
		slice.Spec.SkipNodeOperations = dice.Pick(m, []resourceapi.SkipNodeOperation{"*"},
			[]resourceapi.SkipNodeOperation{"NodePrepareResources", "NodeUnprepareResources"})
	}
	m.slices = append(m.slices, slice)
	return slice
}

// count tells the slices of a pool how many they are.
func (m *maker) count(first int) {
	size := int64(len(m.slices) - first)
	for _, slice := range m.slices[first:] {
		slice.Spec.Pool.ResourceSliceCount = size
	}
	if m.Chance(4) {
		dice.Pick(m, m.slices[first:]...).Spec.Pool.ResourceSliceCount += int64(1 - 2*m.IntN(2))
	}
}

// spoil makes some pools stale, incomplete or invalid.
func (m *maker) spoil(first int) {
	slice := dice.Pick(m, m.slices[first:]...)
	switch m.some(88, 3, 2, 2, 2, 1, 2) {
	case 1, 2: // another generation, seen by the node or not
		other := slice.DeepCopy()
		other.Name = m.name("s")
		other.Spec.Pool.Generation += int64(dice.Pick(m, -1, 1))
		if m.Chance(40) && other.Spec.NodeName != nil {
			other.Spec.NodeName = pointer("node-2")
		}
		m.slices = append(m.slices, other)
	case 3: // a device twice
		if len(slice.Spec.Devices) > 0 {
			slice.Spec.Devices = append(slice.Spec.Devices, slice.Spec.Devices[0])
		}
	case 4: // a slice twice
		m.slices = append(m.slices, slice.DeepCopy())
	case 5: // two slices of one name
		m.slices[len(m.slices)-1].Name = m.slices[0].Name
	case 6: // an unknown counter or set
		if len(slice.Spec.Devices) > 0 {
			device := &slice.Spec.Devices[0]
			device.ConsumesCounters = append(device.ConsumesCounters, resourceapi.DeviceCounterConsumption{
				CounterSet: dice.Pick(m, "set-0", "set-9"), Counters: map[string]resourceapi.Counter{"missing": {Value: m.amount(1)}}})
		}
	}
}

func (m *maker) counterSets() []resourceapi.CounterSet {
	sets := make([]resourceapi.CounterSet, 1+m.some(75, 25))
	for i := range sets {
		sets[i].Name = fmt.Sprintf("set-%d", i)
		sets[i].Counters = map[string]resourceapi.Counter{"memory": m.counter(4 + m.IntN(12))}
		if m.Chance(40) {
			sets[i].Counters["units"] = m.counter(2 + m.IntN(6))
		}
	}
	if m.Chance(1) {
		sets = append(sets, sets[0])
	}
	return sets
}

func (m *maker) fill(slice *resourceapi.ResourceSlice, counters []resourceapi.CounterSet, perDevice bool) {
	size := m.some(2, 12, 22, 26, 22, 16)
	switch {
	case m.Lean:
		size = 1 + m.IntN(3)
	case m.crowded:
		size = 4 + m.IntN(5)
	case m.limit:
		size = 24 + m.IntN(14)
	case m.Chance(1):
		size = 31 + m.IntN(6)
	}
	slice.Spec.Devices = make([]resourceapi.Device, size)
	for i := range slice.Spec.Devices {
		device := &slice.Spec.Devices[i]
		m.fillDevice(slice.Spec.Driver, device, counters)
		if perDevice || m.Chance(1) {
			at := m.target()
			device.NodeName, device.NodeSelector, device.AllNodes = at.nodeName, at.nodeSelector, at.allNodes
		}
		m.devices = append(m.devices, place{slice.Spec.Driver, slice.Spec.Pool.Name, device})
	}
}

func (m *maker) fillDevice(driver string, device *resourceapi.Device, counters []resourceapi.CounterSet) {
	m.names++
	device.Name = fmt.Sprintf("%s%d", dice.Pick(m, "d", "d", "d", "D_"), m.names)
	if m.limit && m.Chance(90) {
		return // many devices, quickly made
	}
	device.Attributes = m.attributes(driver)
	if m.consumable || m.Chance(25) {
		device.Capacity = m.capacities()
	}
	if m.consumable && m.Chance(75) || m.Chance(4) {
		device.AllowMultipleAllocations = pointer(m.Chance(90))
	}
	if len(counters) > 0 && m.Chance(85) {
		m.consume(device, counters)
	}
	if m.taints && m.Chance(30) || m.Chance(2) {
		for range 1 + m.some(80, 20) {
			device.Taints = append(device.Taints, m.taint())
		}
	}
	if m.binding && m.Chance(45) {
		device.BindingConditions = []string{"ready"}
		if m.Chance(60) {
			device.BindingFailureConditions = []string{"failed", "gone"}[:1+m.IntN(2)]
		}
	}
	if m.binding && m.Chance(30) || m.Chance(3) {
		device.BindsToNode = pointer(m.Chance(85))
	}
}

func (m *maker) consume(device *resourceapi.Device, counters []resourceapi.CounterSet) {
	sets := 1
	if len(counters) > 1 && m.Chance(20) {
		sets = 2
	}
	at := m.IntN(len(counters))
	for i := range sets {
		set := counters[(at+i)%len(counters)]
		consumption := resourceapi.DeviceCounterConsumption{CounterSet: set.Name, Counters: map[string]resourceapi.Counter{}}
		for _, name := range []string{"memory", "units"} {
			if _, found := set.Counters[name]; found && m.Chance(85) {
				consumption.Counters[name] = m.counter(dice.Pick(m, 0, 1, 2, 2, 4, 4, 8))
			}
		}
		if m.groups && m.Chance(75) {
			consumption.CompatibilityGroups = dice.Pick(m, []string{"x"}, []string{"y"}, []string{"x", "y"}, []string{"y", "z"})
		}
		device.ConsumesCounters = append(device.ConsumesCounters, consumption)
	}
}

func (m *maker) taint() resourceapi.DeviceTaint {
	return resourceapi.DeviceTaint{Key: dice.Pick(m, "example.com/bad", "example.com/bad", "hot"), Value: dice.Pick(m, "", "", "1", "2"),
		Effect: dice.Pick[resourceapi.DeviceTaintEffect](m, "NoSchedule", "NoSchedule", "NoExecute", "None", "Odd")}
}

func (m *maker) rules() []any {
	rules := []any{}
	if !m.taints && !m.Chance(1) {
		return rules
	}
	for range m.some(50, 40, 10) {
		rule := &resourceapi.DeviceTaintRule{TypeMeta: meta("DeviceTaintRule")}
		rule.Name, rule.Spec.Taint = m.name("rule"), m.taint()
		if !m.Chance(5) && len(m.devices) > 0 {
			rule.Spec.DeviceSelector = m.ruleSelector(dice.Pick(m, m.devices...))
		}
		rules = append(rules, rule)
	}
	return rules
}

func (m *maker) ruleSelector(at place) *resourceapi.DeviceTaintSelector {
	selector := &resourceapi.DeviceTaintSelector{}
	if m.Chance(60) {
		selector.Driver = pointer(at.driver)
	}
	if m.Chance(60) {
		selector.Pool = pointer(at.pool)
	}
	if m.Chance(70) {
		selector.Device = pointer(at.device.Name)
	}
	if m.Chance(5) {
		selector.Device = pointer("none")
	}
	return selector
}
