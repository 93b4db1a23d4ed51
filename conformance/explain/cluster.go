package explain

import (
	"errors"

	resourceapi "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/deviceclass/extendedresourcecache"
	"k8s.io/dynamic-resource-allocation/structured"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	"k8s.io/kubernetes/pkg/scheduler/util/assumecache"

	"quadra/conformance/allocate"
)

// Cluster is what upstream's plugins ask of devices: it shows them one set after the other. What Reserve
// takes is listed, and not taken.
type Cluster struct {
	Reserved []*resourceapi.ResourceClaim

	fwk.ResourceClaimTracker
	slices  []*resourceapi.ResourceSlice
	classes []*resourceapi.DeviceClass
	claims  []*resourceapi.ResourceClaim
	served  *extendedresourcecache.ExtendedResourceCache
}

// Show replaces what there is.
func (c *Cluster) Show(slices []*resourceapi.ResourceSlice, classes []*resourceapi.DeviceClass, claims []*resourceapi.ResourceClaim) {
	c.slices, c.classes, c.claims, c.Reserved = slices, classes, claims, nil
	c.served = extendedresourcecache.NewExtendedResourceCache(klog.Background())
	for _, class := range classes {
		c.served.OnAdd(class, true)
	}
}

func (c *Cluster) ResourceClaims() fwk.ResourceClaimTracker                     { return c }
func (c *Cluster) ResourceSlices() fwk.ResourceSliceLister                      { return c }
func (c *Cluster) DeviceClasses() fwk.DeviceClassLister                         { return classes{c.classes} }
func (c *Cluster) DeviceClassResolver() fwk.DeviceClassResolver                 { return c.served }
func (c *Cluster) List() ([]*resourceapi.ResourceClaim, error)                  { return c.claims, nil }
func (c *Cluster) GetPendingAllocation(types.UID) *resourceapi.AllocationResult { return nil }

func (c *Cluster) SignalClaimPendingAllocation(_ types.UID, claim *resourceapi.ResourceClaim) error {
	c.Reserved = append(c.Reserved, claim)
	return nil
}

func (c *Cluster) ListWithDeviceTaintRules() ([]*resourceapi.ResourceSlice, error) {
	return c.slices, nil
}

func (c *Cluster) Get(namespace, name string) (*resourceapi.ResourceClaim, error) {
	for _, claim := range c.claims {
		if claim.Namespace == namespace && claim.Name == name {
			return claim, nil
		}
	}
	return nil, &assumecache.NotFoundError{TypeName: "ResourceClaim", ObjectKey: namespace + "/" + name}
}

func (c *Cluster) ListAllAllocatedDevices() (sets.Set[structured.DeviceID], error) {
	return nil, errors.New("not needed: consumable capacity is on")
}

func (c *Cluster) GatherAllocatedState() (*structured.AllocatedState, error) {
	held := allocate.World{Features: dynamicresources.AllocatorFeatures(features)}
	for _, claim := range c.claims {
		if claim.Status.Allocation != nil {
			held.Held = append(held.Held, claim)
		}
	}
	state := held.State()
	return &state, nil
}

type classes struct{ list []*resourceapi.DeviceClass }

func (c classes) List() ([]*resourceapi.DeviceClass, error) { return c.list, nil }

func (c classes) Get(name string) (*resourceapi.DeviceClass, error) {
	for _, class := range c.list {
		if class.Name == name {
			return class, nil
		}
	}
	return nil, apierrors.NewNotFound(resourceapi.Resource("deviceclasses"), name)
}
