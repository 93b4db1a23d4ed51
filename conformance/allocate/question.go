// Package allocate answers the questions of `quadra allocate --stream --strict` with upstream's own allocator: which devices do the
// pending claims of a small cluster get on one node?
//
// Not safe for concurrent use.
package allocate

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/structured"
)

// Question is one line of the stream. Objects are Node, DeviceClass, ResourceSlice, DeviceTaintRule and ResourceClaim; their order
// counts.
type Question struct {
	Node         string          `json:"node"`
	Objects      []any           `json:"objects"`
	FeatureGates map[string]bool `json:"featureGates,omitempty"`
}

// gates are the feature gates that a question may set, each with its default in Kubernetes 1.37 and what it switches.
var gates = map[string]struct {
	byDefault bool
	feature   func(*structured.Features) *bool
}{
	"DRAAdminAccess":               {true, func(f *structured.Features) *bool { return &f.AdminAccess }},
	"DRAConsumableCapacity":        {true, func(f *structured.Features) *bool { return &f.ConsumableCapacity }},
	"DRADerivedAttributes":         {false, func(f *structured.Features) *bool { return &f.DerivedAttributes }},
	"DRADeviceBindingConditions":   {true, func(f *structured.Features) *bool { return &f.DeviceBindingAndStatus }},
	"DRADeviceCompatibilityGroups": {false, func(f *structured.Features) *bool { return &f.CompatibilityGroups }},
	"DRADeviceTaints":              {true, func(f *structured.Features) *bool { return &f.DeviceTaints }},
	"DRAFractionalCapacityRange":   {false, func(f *structured.Features) *bool { return &f.FractionalCapacityRange }},
	"DRAListTypeAttributes":        {false, func(f *structured.Features) *bool { return &f.ListTypeAttributes }},
	"DRAOptionalNodeOperations":    {false, func(f *structured.Features) *bool { return &f.OptionalNodeOperations }},
	"DRAPartitionableDevices":      {true, func(f *structured.Features) *bool { return &f.PartitionableDevices }},
	"DRAPrioritizedList":           {true, func(f *structured.Features) *bool { return &f.PrioritizedList }},
	"DRAResourceClaimDeviceStatus": {true, nil}, // binding conditions need this one too
}

func features(set map[string]bool) (structured.Features, error) {
	var result structured.Features
	for name := range set {
		if _, known := gates[name]; !known {
			return result, fmt.Errorf("unknown feature gate %s", name)
		}
	}
	on := func(name string) bool {
		if value, given := set[name]; given {
			return value
		}
		return gates[name].byDefault
	}
	for name, gate := range gates {
		if gate.feature != nil {
			*gate.feature(&result) = on(name)
		}
	}
	result.DeviceBindingAndStatus = result.DeviceBindingAndStatus && on("DRAResourceClaimDeviceStatus")
	return result, nil
}

// GatesOf sets every gate as the features are.
func GatesOf(features structured.Features) map[string]bool {
	set := map[string]bool{"DRAResourceClaimDeviceStatus": features.DeviceBindingAndStatus}
	for name, gate := range gates {
		if gate.feature != nil {
			set[name] = *gate.feature(&features)
		}
	}
	return set
}

// World is a question as upstream's types.
type World struct {
	Features structured.Features
	Node     *v1.Node
	Slices   []*resourceapi.ResourceSlice
	Rules    []*resourceapi.DeviceTaintRule
	Classes  []*resourceapi.DeviceClass
	Pending  []*resourceapi.ResourceClaim
	Held     []*resourceapi.ResourceClaim
	// Steps of upstream's search, once allocated.
	Steps int
}

// Read decodes and checks a question.
func Read(line []byte) (*World, error) {
	var question struct {
		Node         string            `json:"node"`
		Objects      []json.RawMessage `json:"objects"`
		FeatureGates map[string]bool   `json:"featureGates"`
	}
	if err := json.Unmarshal(line, &question); err != nil {
		return nil, err
	}
	world := &World{}
	var err error
	if world.Features, err = features(question.FeatureGates); err != nil {
		return nil, err
	}
	for _, object := range question.Objects {
		if err := world.add(object, question.Node); err != nil {
			return nil, err
		}
	}
	if world.Node == nil {
		return nil, errors.New("the node is not among the objects")
	}
	return world, nil
}

func (w *World) add(object json.RawMessage, nodeName string) error {
	var header struct {
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal(object, &header); err != nil {
		return err
	}
	switch header.Kind {
	case "Node":
		node, err := decoded[v1.Node](object)
		if err == nil && node.Name == nodeName {
			w.Node = node
		}
		return err
	case "DeviceClass":
		return into(&w.Classes, object)
	case "ResourceSlice":
		return into(&w.Slices, object)
	case "DeviceTaintRule":
		return into(&w.Rules, object)
	case "ResourceClaim":
		claim, err := decoded[resourceapi.ResourceClaim](object)
		if err != nil {
			return err
		}
		if claim.Status.Allocation == nil {
			w.Pending = append(w.Pending, claim)
		} else {
			w.Held = append(w.Held, claim)
		}
	}
	return nil
}

func decoded[T any](object json.RawMessage) (*T, error) {
	value := new(T)
	return value, json.Unmarshal(object, value)
}

func into[T any](list *[]*T, object json.RawMessage) error {
	value, err := decoded[T](object)
	*list = append(*list, value)
	return err
}

// State is what the held claims have allocated, by the rules of upstream's scheduler plugin: nothing for admin access; a share for
// a result with a share ID, where the gate is on.
func (w *World) State() structured.AllocatedState {
	state := structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[structured.SharedDeviceID](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	for _, claim := range w.Held {
		for _, result := range claim.Status.Allocation.Devices.Results {
			if result.AdminAccess != nil && *result.AdminAccess {
				continue
			}
			id := structured.MakeDeviceID(result.Driver, result.Pool, result.Device)
			if result.ShareID == nil || !w.Features.ConsumableCapacity {
				state.AllocatedDevices.Insert(id)
				continue
			}
			state.AllocatedSharedDeviceIDs.Insert(structured.MakeSharedDeviceID(id, result.ShareID))
			if result.ConsumedCapacity != nil {
				state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(id, result.ConsumedCapacity))
			}
		}
	}
	return state
}

// Holding is a claim that holds what the state says: the inverse of what allocation makes of held claims.
func Holding(state structured.AllocatedState) *resourceapi.ResourceClaim {
	claim := &resourceapi.ResourceClaim{}
	claim.Kind, claim.APIVersion = "ResourceClaim", "resource.k8s.io/v1"
	claim.Name, claim.Status.Allocation = "held", &resourceapi.AllocationResult{}
	results := &claim.Status.Allocation.Devices.Results
	hold := func(id structured.DeviceID, share *types.UID, consumed map[resourceapi.QualifiedName]resource.Quantity) {
		*results = append(*results, resourceapi.DeviceRequestAllocationResult{Request: "held", Driver: id.Driver.String(),
			Pool: id.Pool.String(), Device: id.Device.String(), ShareID: share, ConsumedCapacity: consumed})
	}
	for id := range state.AllocatedDevices {
		hold(id, nil, nil)
	}
	for shared := range state.AllocatedSharedDeviceIDs {
		id, share := shared.GetDeviceID(), types.UID(shared.ShareID.String())
		var consumed map[resourceapi.QualifiedName]resource.Quantity
		if share == firstShare(state, id) {
			consumed = amounts(state.AggregatedCapacity[id])
		}
		hold(id, &share, consumed)
	}
	for id, consumed := range state.AggregatedCapacity {
		if firstShare(state, id) == "" {
			share := types.UID("share")
			hold(id, &share, amounts(consumed))
		}
	}
	slices.SortFunc(*results, func(a, b resourceapi.DeviceRequestAllocationResult) int {
		return strings.Compare(a.String(), b.String())
	})
	return claim
}

// firstShare of a device carries all that is consumed of it.
func firstShare(state structured.AllocatedState, id structured.DeviceID) types.UID {
	first := types.UID("")
	for shared := range state.AllocatedSharedDeviceIDs {
		if share := types.UID(shared.ShareID.String()); shared.GetDeviceID() == id && (first == "" || share < first) {
			first = share
		}
	}
	return first
}

func amounts(consumed structured.ConsumedCapacity) map[resourceapi.QualifiedName]resource.Quantity {
	if consumed == nil {
		return nil
	}
	result := map[resourceapi.QualifiedName]resource.Quantity{}
	for name, amount := range consumed {
		result[name] = *amount
	}
	return result
}
