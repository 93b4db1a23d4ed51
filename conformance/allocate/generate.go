package allocate

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"

	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"quadra/conformance/dice"
)

// Source draws worlds. The same seed draws the same.
type Source struct {
	dice.Dice
	// Lean worlds are small on paper.
	Lean bool
}

// NewSource draws from random.
func NewSource(random *rand.Rand, lean bool) *Source { return &Source{dice.Dice{Rand: random}, lean} }

// theme says which features a world is about.
type theme struct {
	admin, groups, consumable, derived, binding, taints, fractional, lists, skip, partitions, prioritized bool
	// Not features: many requests for few devices, requests for more devices than a claim may have.
	crowded, limit bool
}

// maker makes one world.
type maker struct {
	*Source
	theme
	gates   map[string]bool
	slices  []*resourceapi.ResourceSlice
	devices []place // those that a claim may hold
	classes []string
	drivers []string
	names   int
}

// place is where a device is published.
type place struct {
	driver, pool string
	device       *resourceapi.Device
}

const askedNode = "node-1"

// World is the next question.
func (s *Source) World() Question {
	m := &maker{Source: s, gates: map[string]bool{}}
	m.chooseThemes()
	m.chooseGates()
	m.drivers = []string{dice.Pick(m, drivers...), dice.Pick(m, drivers...)}[:1+m.some(65, 35)]
	nodes := m.nodes()
	classes := m.makeClasses()
	m.makeSlices()
	rules := m.rules()
	held := m.held()
	pending := m.pending()
	objects := append(append(nodes, classes...), m.published()...)
	objects = append(append(append(objects, rules...), held...), pending...)
	if m.Chance(5) {
		objects = append(objects, map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "pod"}})
	}
	return Question{Node: askedNode, Objects: objects, FeatureGates: m.gates}
}

func (m *maker) chooseThemes() {
	m.crowded, m.limit = m.Chance(20), m.Chance(2) && !m.Lean
	for _, chosen := range []*bool{&m.admin, &m.groups, &m.consumable, &m.derived, &m.binding, &m.taints, &m.fractional, &m.lists,
		&m.skip, &m.partitions, &m.prioritized} {
		*chosen = m.Chance(15) && !(m.crowded && m.Chance(30))
	}
	m.consumable = m.consumable || m.fractional
	m.partitions = m.partitions || m.groups
}

// chooseGates switches on what the world is about, mostly, and sometimes another gate either way.
func (m *maker) chooseGates() {
	wanted := map[string]bool{
		"DRAAdminAccess": m.admin, "DRAConsumableCapacity": m.consumable, "DRADerivedAttributes": m.derived,
		"DRADeviceBindingConditions": m.binding, "DRADeviceCompatibilityGroups": m.groups, "DRADeviceTaints": m.taints,
		"DRAFractionalCapacityRange": m.fractional, "DRAListTypeAttributes": m.lists, "DRAOptionalNodeOperations": m.skip,
		"DRAPartitionableDevices": m.partitions, "DRAPrioritizedList": m.prioritized, "DRAResourceClaimDeviceStatus": m.binding,
	}
	for _, name := range gateNames {
		switch {
		case wanted[name] && m.Chance(6), !wanted[name] && m.Chance(5):
			m.gates[name] = m.Chance(50)
		case wanted[name] && !gates[name].byDefault:
			m.gates[name] = true
		case wanted[name] && m.Chance(10):
			m.gates[name] = true
		}
	}
}

// gateNames in a fixed order.
var gateNames = []string{"DRAAdminAccess", "DRAConsumableCapacity", "DRADerivedAttributes", "DRADeviceBindingConditions",
	"DRADeviceCompatibilityGroups", "DRADeviceTaints", "DRAFractionalCapacityRange", "DRAListTypeAttributes", "DRAOptionalNodeOperations",
	"DRAPartitionableDevices", "DRAPrioritizedList", "DRAResourceClaimDeviceStatus"}

func meta(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{Kind: kind, APIVersion: "resource.k8s.io/v1"}
}

func (m *maker) nodes() []any {
	declared := []string{}
	if m.skip && m.Chance(88) || m.Chance(3) {
		declared = append(declared, "DRAOptionalNodeOperations")
	} else if m.Chance(5) {
		declared = append(declared, "Other")
	}
	labels := map[string]string{"zone": dice.Pick(m, "a", "a", "b"), "rank": dice.Pick(m, "1", "7", "x")}
	nodes := []any{node(askedNode, labels, declared)}
	if m.Chance(10) {
		nodes = append(nodes, node("node-2", nil, nil))
	}
	return nodes
}

// node is not of upstream's type, which writes much that is empty.
func node(name string, labels map[string]string, declared []string) any {
	return map[string]any{"apiVersion": "v1", "kind": "Node", "metadata": map[string]any{"name": name, "labels": labels},
		"status": map[string]any{"declaredFeatures": declared}}
}

// weigh is some of few in lean and crowded worlds, and of the others elsewhere.
func (m *maker) weigh(few []int, others ...int) int {
	if m.Lean || m.crowded {
		return m.some(few...)
	}
	return m.some(others...)
}

// some is a number from weights: 0 as often as the first says, and so on.
func (m *maker) some(weights ...int) int {
	total := 0
	for _, weight := range weights {
		total += weight
	}
	at := m.IntN(total)
	for i, weight := range weights {
		if at -= weight; at < 0 {
			return i
		}
	}
	return 0
}

// name is a new one; its order is not that of making.
func (m *maker) name(prefix string) string {
	m.names++
	return fmt.Sprintf("%s-%d-%d", prefix, m.IntN(10), m.names)
}

func pointer[T any](value T) *T { return &value }

// ordered are a map's keys, always in the same order.
func ordered[K cmp.Ordered, V any](values map[K]V) iter.Seq[K] {
	return slices.Values(slices.Sorted(maps.Keys(values)))
}
