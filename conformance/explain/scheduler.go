package explain

import (
	"context"
	"errors"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/dynamic-resource-allocation/deviceclass/extendedresourcecache"
	"k8s.io/dynamic-resource-allocation/structured"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeaffinity"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodename"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeports"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeunschedulable"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"

	"quadra/conformance/allocate"
)

// features are those of a kube-scheduler without flags.
var features = feature.NewSchedulerFeaturesFromGates(utilfeature.DefaultFeatureGate)

// scheduler is the filters of kube-scheduler's default profile, as far as quadra has them, in their order.
type scheduler struct {
	cluster *cluster
	filters []fwk.FilterPlugin
}

type factory func(context.Context, runtime.Object, fwk.Handle, feature.Features) (fwk.Plugin, error)

func newScheduler() (*scheduler, error) {
	s := &scheduler{cluster: &cluster{}}
	handle := &handle{cluster: s.cluster, informers: informers.NewSharedInformerFactory(nil, 0)}
	for _, plugin := range []struct {
		make factory
		args string
	}{
		{nodename.New, ""}, {nodeunschedulable.New, ""}, {tainttoleration.New, ""}, {nodeaffinity.New, "NodeAffinityArgs"},
		{nodeports.New, ""}, {noderesources.NewFit, "NodeResourcesFitArgs"}, {dynamicresources.New, "DynamicResourcesArgs"},
	} {
		args, err := defaultArgs(plugin.args)
		if err != nil {
			return nil, err
		}
		made, err := plugin.make(context.Background(), args, handle, features)
		if err != nil {
			return nil, err
		}
		s.filters = append(s.filters, made.(fwk.FilterPlugin))
	}
	return s, nil
}

// defaultArgs are a plugin's arguments where nobody gives any.
func defaultArgs(kind string) (runtime.Object, error) {
	if kind == "" {
		return nil, nil
	}
	object, _, err := scheme.Codecs.UniversalDecoder().Decode([]byte(`{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"`+kind+`"}`), nil, nil)
	return object, err
}

// handle has what these plugins ask of the framework; the rest is nil.
type handle struct {
	fwk.Handle
	cluster   *cluster
	informers informers.SharedInformerFactory
}

func (h *handle) ClientSet() clientset.Interface                         { return nil }
func (h *handle) SharedInformerFactory() informers.SharedInformerFactory { return h.informers }
func (h *handle) SharedDRAManager() fwk.SharedDRAManager                 { return h.cluster }
func (h *handle) ProfileName() string                                    { return "default-scheduler" }

// cluster shows the plugins one world after the other. Nothing is pending in it.
type cluster struct {
	fwk.ResourceClaimTracker
	world   *World
	classes *extendedresourcecache.ExtendedResourceCache
}

func (c *cluster) show(world *World) {
	c.world, c.classes = world, extendedresourcecache.NewExtendedResourceCache(klog.Background())
	for _, class := range world.Classes {
		c.classes.OnAdd(class, true)
	}
}

func (c *cluster) ResourceClaims() fwk.ResourceClaimTracker                     { return c }
func (c *cluster) ResourceSlices() fwk.ResourceSliceLister                      { return c }
func (c *cluster) DeviceClasses() fwk.DeviceClassLister                         { return classes{c.world.Classes} }
func (c *cluster) DeviceClassResolver() fwk.DeviceClassResolver                 { return c.classes }
func (c *cluster) List() ([]*resourceapi.ResourceClaim, error)                  { return c.world.Claims, nil }
func (c *cluster) GetPendingAllocation(types.UID) *resourceapi.AllocationResult { return nil }

func (c *cluster) ListWithDeviceTaintRules() ([]*resourceapi.ResourceSlice, error) {
	return c.world.Slices, nil
}

func (c *cluster) Get(namespace, name string) (*resourceapi.ResourceClaim, error) {
	for _, claim := range c.world.Claims {
		if claim.Namespace == namespace && claim.Name == name {
			return claim, nil
		}
	}
	return nil, apierrors.NewNotFound(resourceapi.Resource("resourceclaims"), name)
}

func (c *cluster) ListAllAllocatedDevices() (sets.Set[structured.DeviceID], error) {
	return nil, errors.New("not needed: consumable capacity is on")
}

func (c *cluster) GatherAllocatedState() (*structured.AllocatedState, error) {
	held := allocate.World{Features: dynamicresources.AllocatorFeatures(features)}
	for _, claim := range c.world.Claims {
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

// on tells which of the pods are on the node and not finished.
func (w *World) on(node *v1.Node) []*v1.Pod {
	var pods []*v1.Pod
	for _, pod := range w.Pods {
		if pod.Spec.NodeName == node.Name && pod.Status.Phase != v1.PodSucceeded && pod.Status.Phase != v1.PodFailed {
			pods = append(pods, pod)
		}
	}
	return pods
}
