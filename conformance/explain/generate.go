package explain

import (
	"fmt"
	"math/rand/v2"
	"time"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"quadra/conformance/dice"
)

// maker makes one world.
type maker struct {
	dice.Dice
	objects []any
	nodes   []string
	devices []place // not held yet
	claims  []string
}

// place is where a device is published.
type place struct {
	pool, device string
	nodes        *v1.NodeSelector // from where it can be used; nil: from everywhere
}

const (
	driver    = "gpu.example.com"
	plugged   = "example.com/gpu"
	hugePages = "hugepages-2Mi"
	namespace = "default"
	askedPod  = "asked"
)

// Draw makes the next question.
func Draw(random *rand.Rand) Question {
	m := &maker{Dice: dice.Dice{Rand: random}}
	for i := range 1 + m.IntN(4) {
		m.addNode(fmt.Sprintf("node-%d", i+1))
	}
	m.addClasses()
	m.addSlices()
	m.addHolders()
	m.addBound()
	m.addTemplates()
	m.addAsked()
	return Question{Pod: askedPod, Objects: m.objects}
}

func (m *maker) add(object any) { m.objects = append(m.objects, object) }

func core(kind string) metav1.TypeMeta { return metav1.TypeMeta{Kind: kind, APIVersion: "v1"} }

func dra(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{Kind: kind, APIVersion: "resource.k8s.io/v1"}
}

func named(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name, UID: types.UID(name)}
}

func pointer[T any](value T) *T { return &value }

// --- Nodes.

func (m *maker) addNode(name string) {
	spec := map[string]any{}
	if m.Chance(12) {
		spec["unschedulable"] = true
	}
	if taints := m.taints(); len(taints) > 0 {
		spec["taints"] = taints
	}
	m.nodes = append(m.nodes, name)
	// Not of upstream's type, which writes much that is empty.
	m.add(map[string]any{"apiVersion": "v1", "kind": "Node", "metadata": map[string]any{"name": name, "labels": m.labels()},
		"spec": spec, "status": map[string]any{"allocatable": m.allocatable()}})
}

func (m *maker) taints() []v1.Taint {
	taints := []v1.Taint{}
	for range m.IntN(5) / 3 {
		taints = append(taints, m.taint())
	}
	return taints
}

func (m *maker) labels() map[string]string {
	labels := map[string]string{"zone": dice.Pick(m, "a", "a", "b")}
	if m.Chance(50) {
		labels["rank"] = dice.Pick(m, "1", "7", "x")
	}
	return labels
}

func (m *maker) taint() v1.Taint {
	if m.Chance(8) {
		return v1.Taint{Key: v1.TaintNodeUnschedulable, Effect: v1.TaintEffectNoSchedule}
	}
	return v1.Taint{Key: dice.Pick(m, "team", "gpu"), Value: dice.Pick(m, "", "a", "5"),
		Effect: dice.Pick(m, v1.TaintEffectNoSchedule, v1.TaintEffectNoExecute, v1.TaintEffectPreferNoSchedule)}
}

// native is what every node has.
var native = []v1.ResourceName{v1.ResourcePods, v1.ResourceCPU, v1.ResourceMemory, v1.ResourceEphemeralStorage}

func (m *maker) allocatable() v1.ResourceList {
	has := v1.ResourceList{v1.ResourcePods: m.amount("110", "110", "110", "2"), v1.ResourceCPU: m.amount("8", "4", "3500m"),
		v1.ResourceMemory: m.amount("16Gi", "16G", "8Gi"), v1.ResourceEphemeralStorage: m.amount("100Gi")}
	if m.Chance(20) {
		has[plugged] = m.amount("0", "1", "4")
	}
	if m.Chance(10) {
		has[hugePages] = m.amount("0", "64Mi")
	}
	return has
}

func (m *maker) amount(choices ...string) resource.Quantity {
	return resource.MustParse(dice.Pick(m, choices...))
}

func onNode(name string) *v1.NodeSelector {
	return &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{{MatchFields: []v1.NodeSelectorRequirement{
		{Key: "metadata.name", Operator: v1.NodeSelectorOpIn, Values: []string{name}}}}}}
}

func (m *maker) requirement() v1.NodeSelectorRequirement {
	required := v1.NodeSelectorRequirement{Key: dice.Pick(m, "zone", "rank"),
		Operator: dice.Pick(m, v1.NodeSelectorOpIn, v1.NodeSelectorOpIn, v1.NodeSelectorOpNotIn, v1.NodeSelectorOpExists,
			v1.NodeSelectorOpDoesNotExist, v1.NodeSelectorOpGt, v1.NodeSelectorOpLt)}
	switch required.Operator {
	case v1.NodeSelectorOpIn, v1.NodeSelectorOpNotIn:
		required.Values = []string{dice.Pick(m, "a", "b", "1", "x")}
	case v1.NodeSelectorOpGt, v1.NodeSelectorOpLt:
		required.Values = []string{dice.Pick(m, "0", "5")}
	}
	return required
}

func (m *maker) nodeSelector() *v1.NodeSelector {
	selector := &v1.NodeSelector{}
	for range 1 + m.IntN(2) {
		term := v1.NodeSelectorTerm{MatchExpressions: []v1.NodeSelectorRequirement{m.requirement()}}
		if m.Chance(25) {
			term.MatchExpressions = append(term.MatchExpressions, m.requirement())
		}
		selector.NodeSelectorTerms = append(selector.NodeSelectorTerms, term)
	}
	return selector
}

// affinity is what a pod requires: by labels mostly, else by name, or what nothing meets.
func (m *maker) affinity() *v1.NodeSelector {
	switch {
	case m.Chance(15):
		return onNode(dice.Pick(m, m.nodes...))
	case m.Chance(5):
		return &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{{}}}
	}
	return m.nodeSelector()
}

// --- Devices.

func (m *maker) addClasses() {
	for _, name := range []string{"any", "gpu"} {
		class := &resourceapi.DeviceClass{TypeMeta: dra("DeviceClass"), ObjectMeta: metav1.ObjectMeta{Name: name}}
		if name == "gpu" && m.Chance(30) {
			class.Spec.ExtendedResourceName = pointer(plugged)
		}
		if name == "gpu" {
			class.Spec.Selectors = []resourceapi.DeviceSelector{cel(`device.driver == "` + driver + `"`)}
		}
		m.add(class)
	}
}

func cel(text string) resourceapi.DeviceSelector {
	return resourceapi.DeviceSelector{CEL: &resourceapi.CELDeviceSelector{Expression: text}}
}

func (m *maker) addSlices() {
	for _, node := range m.nodes {
		if m.Chance(70) {
			m.addSlice(node, onNode(node), func(spec *resourceapi.ResourceSliceSpec) { spec.NodeName = &node })
		}
	}
	switch {
	case m.Chance(15):
		zone := m.nodeSelector()
		zone.NodeSelectorTerms = zone.NodeSelectorTerms[:1]
		m.addSlice("zone", zone, func(spec *resourceapi.ResourceSliceSpec) { spec.NodeSelector = zone })
	case m.Chance(10):
		m.addSlice("all", nil, func(spec *resourceapi.ResourceSliceSpec) { spec.AllNodes = pointer(true) })
	}
}

func (m *maker) addSlice(pool string, nodes *v1.NodeSelector, placed func(*resourceapi.ResourceSliceSpec)) {
	slice := &resourceapi.ResourceSlice{TypeMeta: dra("ResourceSlice"), ObjectMeta: metav1.ObjectMeta{Name: "slice-" + pool}}
	slice.Spec.Driver = driver
	slice.Spec.Pool = resourceapi.ResourcePool{Name: pool, Generation: 1, ResourceSliceCount: 1}
	placed(&slice.Spec)
	for i := range 1 + m.IntN(3) {
		name := fmt.Sprintf("gpu-%d", i)
		slice.Spec.Devices = append(slice.Spec.Devices, m.device(name))
		m.devices = append(m.devices, place{pool, name, nodes})
	}
	m.add(slice)
}

// device is seldom one on which a selector fails, or a tainted one.
func (m *maker) device(name string) resourceapi.Device {
	device := resourceapi.Device{Name: name}
	if m.Chance(97) {
		model := dice.Pick(m, "big", "small")
		device.Attributes = map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{"model": {StringValue: &model}}
	}
	if m.Chance(5) {
		device.Taints = []resourceapi.DeviceTaint{{Key: "sick", Effect: resourceapi.DeviceTaintEffectNoSchedule}}
	}
	return device
}

// --- Claims.

func (m *maker) addHolders() {
	for i := range m.IntN(3) {
		m.addClaim(fmt.Sprintf("held-%d", i), true)
	}
}

func (m *maker) addTemplates() {
	template := &resourceapi.ResourceClaimTemplate{TypeMeta: dra("ResourceClaimTemplate"), ObjectMeta: named("template")}
	template.Spec.Spec = m.spec()
	m.add(template)
}

func (m *maker) addClaim(name string, allocated bool) {
	claim := &resourceapi.ResourceClaim{TypeMeta: dra("ResourceClaim"), ObjectMeta: named(name), Spec: m.spec()}
	if allocated && len(m.devices) > 0 {
		claim.Status = m.status(claim.Spec)
	}
	if m.Chance(1) {
		claim.DeletionTimestamp = &metav1.Time{Time: time.Unix(1_800_000_000, 0).UTC()}
	}
	m.claims = append(m.claims, name)
	m.add(claim)
}

// status takes devices that nobody has. Whether they are those that the claim asks for does not matter any more.
func (m *maker) status(spec resourceapi.ResourceClaimSpec) resourceapi.ResourceClaimStatus {
	at := m.IntN(len(m.devices))
	device := m.devices[at]
	m.devices = append(m.devices[:at:at], m.devices[at+1:]...)
	status := resourceapi.ResourceClaimStatus{Allocation: &resourceapi.AllocationResult{NodeSelector: device.nodes}}
	if m.Chance(8) {
		status.Allocation.NodeSelector = onNode("gone")
	}
	status.Allocation.Devices.Results = []resourceapi.DeviceRequestAllocationResult{
		{Request: spec.Devices.Requests[0].Name, Driver: driver, Pool: device.pool, Device: device.device}}
	if m.Chance(15) {
		m.bind(&status)
	}
	for i := range m.IntN(3) {
		name := fmt.Sprintf("user-%d", i)
		status.ReservedFor = append(status.ReservedFor, resourceapi.ResourceClaimConsumerReference{Resource: "pods", Name: name, UID: types.UID(name)})
	}
	return status
}

// bind says how far the binding of the device has come.
func (m *maker) bind(status *resourceapi.ResourceClaimStatus) {
	result := &status.Allocation.Devices.Results[0]
	result.BindingConditions, result.BindingFailureConditions = []string{"ready"}, []string{"failed"}
	if m.Chance(20) {
		return
	}
	device := resourceapi.AllocatedDeviceStatus{Driver: result.Driver, Pool: result.Pool, Device: result.Device}
	for _, condition := range []string{"ready", "failed"} {
		if m.Chance(60) {
			device.Conditions = append(device.Conditions, metav1.Condition{Type: condition,
				Status: dice.Pick(m, metav1.ConditionTrue, metav1.ConditionFalse, metav1.ConditionUnknown), Reason: "Reason"})
		}
	}
	status.Devices = []resourceapi.AllocatedDeviceStatus{device}
}

func (m *maker) spec() resourceapi.ResourceClaimSpec {
	spec := resourceapi.ResourceClaimSpec{}
	for i := range 1 + m.IntN(5)/4 {
		spec.Devices.Requests = append(spec.Devices.Requests, m.request(fmt.Sprintf("r%d", i)))
	}
	return spec
}

func (m *maker) request(name string) resourceapi.DeviceRequest {
	request := resourceapi.DeviceRequest{Name: name, Exactly: &resourceapi.ExactDeviceRequest{
		DeviceClassName: dice.Pick(m, "any", "gpu"), AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: 1}}
	switch {
	case m.Chance(10):
		request.Exactly.AllocationMode, request.Exactly.Count = resourceapi.DeviceAllocationModeAll, 0
	case m.Chance(15):
		request.Exactly.Count = 2
	case m.Chance(2):
		request.Exactly.DeviceClassName = "missing"
	}
	if m.Chance(10) {
		request.Exactly.Tolerations = []resourceapi.DeviceToleration{{Key: "sick", Operator: resourceapi.DeviceTolerationOpExists}}
	}
	if m.Chance(20) {
		request.Exactly.Selectors = []resourceapi.DeviceSelector{cel(`device.attributes["` + driver + `"].model == "big"`)}
	}
	if m.Chance(10) {
		return m.alternatives(name)
	}
	return request
}

func (m *maker) alternatives(name string) resourceapi.DeviceRequest {
	request := resourceapi.DeviceRequest{Name: name}
	for i := range 2 {
		request.FirstAvailable = append(request.FirstAvailable, resourceapi.DeviceSubRequest{Name: fmt.Sprintf("a%d", i),
			DeviceClassName: dice.Pick(m, "any", "gpu"), AllocationMode: resourceapi.DeviceAllocationModeExactCount, Count: int64(2 - i)})
	}
	return request
}

// --- The pod that is asked about.

func (m *maker) addAsked() {
	pod := &v1.Pod{TypeMeta: core("Pod"), ObjectMeta: named(askedPod)}
	m.fillContainers(&pod.Spec)
	for i := range 1 + m.IntN(5)/2 {
		pod.Spec.ResourceClaims = append(pod.Spec.ResourceClaims, m.entry(fmt.Sprintf("c%d", i)))
	}
	if pod.Spec.ResourceClaims[0].ResourceClaimTemplateName != nil && len(pod.Spec.ResourceClaims) > 1 && m.Chance(10) {
		pod.Status.ResourceClaimStatuses = []v1.PodResourceClaimStatus{{Name: "c0"}} // there is none, deliberately
	}
	if m.Chance(20) {
		pod.Spec.NodeSelector = map[string]string{dice.Pick(m, "zone", "rank"): dice.Pick(m, "a", "a", "1")}
	}
	if m.Chance(15) {
		pod.Spec.Affinity = &v1.Affinity{NodeAffinity: &v1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: m.affinity()}}
	}
	for range m.IntN(4) / 2 {
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, m.toleration())
	}
	m.add(pod)
}

func (m *maker) entry(name string) v1.PodResourceClaim {
	entry := v1.PodResourceClaim{Name: name}
	switch {
	case m.Chance(30):
		entry.ResourceClaimTemplateName = pointer("template")
	case m.Chance(25) && len(m.claims) > 0:
		entry.ResourceClaimName = pointer(dice.Pick(m, m.claims...))
	case m.Chance(2):
		entry.ResourceClaimName = pointer("missing")
	default:
		claim := "own-" + name
		m.addClaim(claim, m.Chance(40))
		entry.ResourceClaimName = &claim
	}
	return entry
}

func (m *maker) toleration() v1.Toleration {
	toleration := v1.Toleration{Key: dice.Pick(m, "team", "gpu", "team", v1.TaintNodeUnschedulable),
		Operator: dice.Pick(m, v1.TolerationOpExists, v1.TolerationOpEqual, ""),
		Effect:   dice.Pick(m, "", v1.TaintEffectNoSchedule, v1.TaintEffectNoExecute)}
	if toleration.Operator != v1.TolerationOpExists {
		toleration.Value = dice.Pick(m, "", "a")
	} else if m.Chance(10) {
		toleration.Key = ""
	}
	return toleration
}
