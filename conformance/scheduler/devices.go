package scheduler

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"quadra/conformance/dice"
	"quadra/conformance/placing"
)

// Conditions that devices may have to meet before a pod is bound, or that tell that it comes to nothing.
const ready, broken = "ready", "broken"

func pointer[T any](value T) *T { return &value }

func (w *world) driver() string { return w.name + ".example.com" }

func cel(text string) []resourcev1.DeviceSelector {
	return []resourcev1.DeviceSelector{{CEL: &resourcev1.CELDeviceSelector{Expression: text}}}
}

func (w *world) model(name string) string {
	return fmt.Sprintf(`device.attributes[%q].model == %q`, w.driver(), name)
}

// --- Classes.

func (w *world) addClasses() {
	any := fmt.Sprintf(`device.driver == %q`, w.driver())
	w.addClass("any", any)
	w.addClass("big", any+" && "+w.model("big"))
}

func (w *world) addClass(kind, expression string) {
	class := &resourcev1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: w.name + "-" + kind}, Spec: resourcev1.DeviceClassSpec{Selectors: cel(expression)}}
	if kind == "any" && w.extended {
		class.Spec.ExtendedResourceName = pointer(w.extendedResource())
	}
	if w.Chance(30) {
		class.Spec.Config = []resourcev1.DeviceClassConfiguration{{DeviceConfiguration: w.config()}}
	}
	w.classes = append(w.classes, class.Name)
	w.prepare("class "+class.Name, func(ctx context.Context, at *scene) error {
		_, err := at.client.ResourceV1().DeviceClasses().Create(ctx, class.DeepCopy(), metav1.CreateOptions{})
		return err
	})
}

func (w *world) extendedResource() string { return w.driver() + "/unit" }

func (w *world) config() resourcev1.DeviceConfiguration {
	return resourcev1.DeviceConfiguration{Opaque: &resourcev1.OpaqueDeviceConfiguration{Driver: w.driver(),
		Parameters: runtime.RawExtension{Raw: []byte(fmt.Sprintf(`{"mode":%d}`, w.IntN(9)))}}}
}

// --- Devices.

func (w *world) addSlices() {
	for _, node := range w.Nodes {
		if w.Chance(80) {
			w.publish(w.prepare, node, func(spec *resourcev1.ResourceSliceSpec) { spec.NodeName = &node })
		} else {
			w.bare = append(w.bare, node)
		}
	}
	switch {
	case w.Chance(15):
		zone := &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{
			{Key: placing.Zone, Operator: corev1.NodeSelectorOpIn, Values: []string{"a", "b"}}}}}}
		w.publish(w.prepare, w.name+"-zone", func(spec *resourcev1.ResourceSliceSpec) { spec.NodeSelector = zone })
	case w.Chance(10):
		w.publish(w.prepare, w.name+"-all", func(spec *resourcev1.ResourceSliceSpec) { spec.AllNodes = pointer(true) })
	}
}

// publish makes a pool of one slice, or of two where counters are shared.
func (w *world) publish(when func(string, func(context.Context, *scene) error), pool string, place func(*resourcev1.ResourceSliceSpec)) {
	slice := &resourcev1.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: pool}}
	slice.Spec.Driver, slice.Spec.Pool = w.driver(), resourcev1.ResourcePool{Name: pool, Generation: 1, ResourceSliceCount: 1}
	place(&slice.Spec)
	made := []*resourcev1.ResourceSlice{slice}
	parts := w.parts && w.Chance(70)
	if parts {
		slice.Spec.Pool.ResourceSliceCount = 2
		counters := slice.DeepCopy()
		counters.Name += "-counters"
		counters.Spec.SharedCounters = []resourcev1.CounterSet{{Name: "board", Counters: map[string]resourcev1.Counter{"memory": {Value: w.Amount("4", "6", "8")}}}}
		made = append(made, counters)
	}
	for i := range 1 + w.IntN(4) {
		slice.Spec.Devices = append(slice.Spec.Devices, w.device(fmt.Sprintf("dev-%d", i), parts))
	}
	w.slices = append(w.slices, slice)
	when(fmt.Sprintf("pool %s of %d devices", pool, len(slice.Spec.Devices)), func(ctx context.Context, at *scene) error {
		for _, each := range made {
			if _, err := at.client.ResourceV1().ResourceSlices().Create(ctx, each.DeepCopy(), metav1.CreateOptions{}); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *world) device(name string, parts bool) resourcev1.Device {
	device := resourcev1.Device{Name: name, Attributes: map[resourcev1.QualifiedName]resourcev1.DeviceAttribute{
		"model": {StringValue: pointer(dice.Pick(w, "big", "small"))}, "numa": {IntValue: pointer(int64(w.IntN(2)))}}}
	device.Capacity = map[resourcev1.QualifiedName]resourcev1.DeviceCapacity{"memory": {Value: w.Amount("4Gi", "8Gi", "16Gi")}}
	if w.shared && w.Chance(60) {
		device.AllowMultipleAllocations = pointer(true)
		device.Capacity["memory"] = resourcev1.DeviceCapacity{Value: w.Amount("8Gi"), RequestPolicy: &resourcev1.CapacityRequestPolicy{
			Default: pointer(w.Amount("2Gi", "8Gi")), ValidRange: &resourcev1.CapacityRequestPolicyRange{Min: pointer(w.Amount("1Gi")), Step: pointer(w.Amount("1Gi"))}}}
	}
	if parts {
		device.ConsumesCounters = []resourcev1.DeviceCounterConsumption{{CounterSet: "board", Counters: map[string]resourcev1.Counter{"memory": {Value: w.Amount("2", "4")}}}}
	}
	if w.Chance(10) {
		device.Taints = []resourcev1.DeviceTaint{w.deviceTaint()}
	}
	if w.binding && w.Chance(70) {
		device.BindingConditions, device.BindingFailureConditions = []string{ready}, []string{broken}
		device.BindsToNode = pointer(w.Chance(50))
	}
	if w.mapped && w.Chance(70) {
		device.NodeAllocatableResources = w.takes(device)
	}
	return device
}

func (w *world) deviceTaint() resourcev1.DeviceTaint {
	return resourcev1.DeviceTaint{Key: "wear", Value: "out", Effect: dice.Pick(w, resourcev1.DeviceTaintEffectNoSchedule, resourcev1.DeviceTaintEffectNoSchedule, resourcev1.DeviceTaintEffectNone)}
}

// takes is what the device takes from its node.
func (w *world) takes(device resourcev1.Device) map[corev1.ResourceName]resourcev1.NodeAllocatableResource {
	takes := map[corev1.ResourceName]resourcev1.NodeAllocatableResource{}
	switch w.IntN(3) {
	case 0:
		takes[corev1.ResourceCPU] = resourcev1.NodeAllocatableResource{Mapping: &resourcev1.NodeAllocatableMapping{DeviceMultiplier: pointer(w.Amount("1", "2", "3"))}}
	case 1:
		takes[corev1.ResourceMemory] = resourcev1.NodeAllocatableResource{Overhead: &resourcev1.NodeAllocatableOverhead{PerPod: pointer(w.Amount("1Gi", "4Gi", "8Gi"))}}
		if w.Chance(50) {
			takes[corev1.ResourceCPU] = resourcev1.NodeAllocatableResource{Overhead: &resourcev1.NodeAllocatableOverhead{PerContainer: pointer(w.Amount("500m", "2"))}}
		}
	case 2:
		key := resourcev1.QualifiedName("memory")
		if device.AllowMultipleAllocations == nil {
			takes[corev1.ResourceMemory] = resourcev1.NodeAllocatableResource{Mapping: &resourcev1.NodeAllocatableMapping{DeviceMultiplier: pointer(w.Amount("2Gi", "6Gi"))}}
		} else {
			takes[corev1.ResourceMemory] = resourcev1.NodeAllocatableResource{Mapping: &resourcev1.NodeAllocatableMapping{CapacityKey: &key, CapacityMultiplier: pointer(resource.MustParse("1"))}}
		}
	}
	return takes
}

// --- Claims.

func (w *world) addTemplates() {
	for i := range 2 + w.IntN(2) {
		template := &resourcev1.ResourceClaimTemplate{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("template-%d", i+1)}}
		template.Spec.Spec = w.claimSpec()
		w.templates = append(w.templates, template.Name)
		w.prepare("template "+template.Name+" of "+tell(template.Spec.Spec.Devices), func(ctx context.Context, at *scene) error {
			_, err := at.client.ResourceV1().ResourceClaimTemplates(w.name).Create(ctx, template.DeepCopy(), metav1.CreateOptions{})
			return err
		})
	}
}

func (w *world) addSharedClaims() {
	for i := range dice.Pick(w, 0, 1, 1, 2) {
		claim := &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("shared-%d", i+1)}, Spec: w.claimSpec()}
		if w.Chance(60) {
			claim.Spec = w.oneDevice()
		}
		w.claims = append(w.claims, claim.Name)
		if w.Chance(20) {
			w.late = append(w.late, claim)
			continue
		}
		w.prepare("claim "+claim.Name+" of "+tell(claim.Spec.Devices), w.makeClaim(claim))
	}
}

func (w *world) makeClaim(claim *resourcev1.ResourceClaim) func(context.Context, *scene) error {
	return func(ctx context.Context, at *scene) error {
		_, err := at.client.ResourceV1().ResourceClaims(w.name).Create(ctx, claim.DeepCopy(), metav1.CreateOptions{})
		return err
	}
}

// oneDevice is what there is mostly.
func (w *world) oneDevice() resourcev1.ResourceClaimSpec {
	return resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{Requests: []resourcev1.DeviceRequest{{
		Name: "r0", Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: w.classes[0]}}}}}
}

func (w *world) claimSpec() resourcev1.ResourceClaimSpec {
	spec := resourcev1.ResourceClaimSpec{}
	for i := range dice.Pick(w, 1, 1, 1, 2) {
		spec.Devices.Requests = append(spec.Devices.Requests, w.request(fmt.Sprintf("r%d", i)))
	}
	if w.Chance(20) {
		attribute := resourcev1.FullyQualifiedName(w.driver() + "/" + dice.Pick(w, "model", "numa"))
		spec.Devices.Constraints = []resourcev1.DeviceConstraint{{MatchAttribute: &attribute}}
	}
	if w.Chance(25) {
		spec.Devices.Config = []resourcev1.DeviceClaimConfiguration{{DeviceConfiguration: w.config()}}
		if w.Chance(50) {
			spec.Devices.Config[0].Requests = []string{"r0"}
		}
	}
	return spec
}

func (w *world) request(name string) resourcev1.DeviceRequest {
	request := resourcev1.DeviceRequest{Name: name}
	if w.Chance(25) {
		for i := range 2 + w.IntN(2) {
			wanted := w.wanted(3 - i)
			wanted.Name = fmt.Sprintf("a%d", i)
			request.FirstAvailable = append(request.FirstAvailable, wanted)
		}
		return request
	}
	wanted := w.wanted(2)
	request.Exactly = &resourcev1.ExactDeviceRequest{DeviceClassName: wanted.DeviceClassName, Selectors: wanted.Selectors,
		AllocationMode: wanted.AllocationMode, Count: wanted.Count, Tolerations: wanted.Tolerations, Capacity: wanted.Capacity}
	if w.admin && w.Chance(60) {
		request.Exactly.AdminAccess = pointer(true)
	}
	return request
}

func (w *world) wanted(most int) resourcev1.DeviceSubRequest {
	wanted := resourcev1.DeviceSubRequest{DeviceClassName: dice.Pick(w, w.classes[0], w.classes[0], w.classes[1]),
		AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: 1}
	switch {
	case w.Chance(6):
		wanted.AllocationMode, wanted.Count = resourcev1.DeviceAllocationModeAll, 0
	case w.Chance(20):
		wanted.Count = int64(most)
	case w.Chance(2):
		wanted.DeviceClassName = w.name + "-missing"
	}
	if w.Chance(25) {
		wanted.Selectors = cel(dice.Pick(w, w.model("small"), w.model("big"),
			fmt.Sprintf(`device.capacity[%q].memory.compareTo(quantity("8Gi")) >= 0`, w.driver()), fmt.Sprintf(`device.attributes[%q].numa == 0`, w.driver())))
	}
	if w.Chance(12) {
		wanted.Tolerations = []resourcev1.DeviceToleration{{Key: "wear", Operator: resourcev1.DeviceTolerationOpExists}}
	}
	if w.shared && w.Chance(60) {
		wanted.Capacity = &resourcev1.CapacityRequirements{Requests: map[resourcev1.QualifiedName]resource.Quantity{"memory": w.Amount("1Gi", "3Gi", "2560Mi", "6Gi")}}
	}
	return wanted
}
