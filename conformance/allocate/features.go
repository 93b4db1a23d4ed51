package allocate

import (
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/dynamic-resource-allocation/structured"
)

// Used are the features that are switched on and matter to some object of the world.
func (w *World) Used() structured.Features {
	used := structured.Features{DeviceTaints: len(w.Rules) > 0}
	for _, slice := range w.Slices {
		useOfSlice(&used, slice)
	}
	for _, claim := range w.Pending {
		for i := range claim.Spec.Devices.Requests {
			useOfRequest(&used, &claim.Spec.Devices.Requests[i])
		}
	}
	used.ListTypeAttributes = used.ListTypeAttributes && w.constrained()
	return both(used, w.Features)
}

func (w *World) constrained() bool {
	for _, claim := range w.Pending {
		if len(claim.Spec.Devices.Constraints) > 0 {
			return true
		}
	}
	return false
}

func useOfSlice(used *structured.Features, slice *resourceapi.ResourceSlice) {
	used.OptionalNodeOperations = used.OptionalNodeOperations || len(slice.Spec.SkipNodeOperations) > 0
	used.PartitionableDevices = used.PartitionableDevices || len(slice.Spec.SharedCounters) > 0
	for i := range slice.Spec.Devices {
		useOfDevice(used, &slice.Spec.Devices[i])
	}
}

func useOfDevice(used *structured.Features, device *resourceapi.Device) {
	used.DeviceTaints = used.DeviceTaints || len(device.Taints) > 0
	used.DeviceBindingAndStatus = used.DeviceBindingAndStatus || len(device.BindingConditions) > 0
	shared := device.AllowMultipleAllocations != nil && *device.AllowMultipleAllocations
	used.ConsumableCapacity = used.ConsumableCapacity || shared
	for _, consumption := range device.ConsumesCounters {
		used.CompatibilityGroups = used.CompatibilityGroups || len(consumption.CompatibilityGroups) > 0
	}
	for _, value := range device.Attributes {
		used.ListTypeAttributes = used.ListTypeAttributes ||
			len(value.IntValues)+len(value.BoolValues)+len(value.StringValues)+len(value.VersionValues) > 0
	}
	for _, capacity := range device.Capacity {
		policy := capacity.RequestPolicy
		used.FractionalCapacityRange = used.FractionalCapacityRange || shared && policy != nil && policy.ValidRange != nil && policy.ValidRange.Step != nil
	}
}

func useOfRequest(used *structured.Features, request *resourceapi.DeviceRequest) {
	used.PrioritizedList = used.PrioritizedList || len(request.FirstAvailable) > 0
	if exactly := request.Exactly; exactly != nil {
		used.AdminAccess = used.AdminAccess || exactly.AdminAccess != nil && *exactly.AdminAccess
		used.DerivedAttributes = used.DerivedAttributes || len(exactly.DerivedAttributes) > 0
	}
	for _, alternative := range request.FirstAvailable {
		used.DerivedAttributes = used.DerivedAttributes || len(alternative.DerivedAttributes) > 0
	}
}

func both(a, b structured.Features) structured.Features {
	var result structured.Features
	for _, gate := range gates {
		if gate.feature != nil {
			*gate.feature(&result) = *gate.feature(&a) && *gate.feature(&b)
		}
	}
	return result
}
