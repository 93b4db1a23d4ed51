package clientgo

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/dynamic-resource-allocation/resourceslice"
)

// publisher is the controller of a driver with what it has published.
type publisher struct {
	*side
	driver     string
	client     kubernetes.Interface
	controller *resourceslice.Controller
}

// publish starts the controller. What others do to its slices it notices soon.
func (s *side) publish(ctx context.Context, owner *resourceslice.Owner, resources *resourceslice.DriverResources) (*publisher, error) {
	p := &publisher{side: s, driver: s.namespace + ".example.com", client: s.typed(asProtobuf, nil)}
	soon := 200 * time.Millisecond
	var err error
	p.controller, err = resourceslice.StartController(ctx, resourceslice.Options{
		DriverName: p.driver, KubeClient: p.client, Owner: owner, Resources: resources, SyncDelay: &soon, MutationCacheTTL: &soon,
		ErrorHandler: func(_ context.Context, err error, words string) { s.note("%s: %v", words, err) },
	})
	return p, err
}

// content is what a pool has.
type content struct{ devices, tainted int }

// published waits until each pool has that, whole and without leftovers, and notes the slices.
func (p *publisher) published(ctx context.Context, what string, wanted map[string]content) error {
	var last string
	err := await(ctx, what, func() (bool, error) {
		slices, err := p.slices(ctx)
		if err != nil {
			return false, err
		}
		last = summary(slices)
		return last == fmt.Sprint(wanted), nil
	})
	if err != nil {
		return fmt.Errorf("%w; there is %s, wanted %v", err, last, wanted)
	}
	all, err := p.slices(ctx)
	for _, each := range all {
		p.show(what, each)
	}
	return err
}

// slices are the driver's, by pool and name.
func (p *publisher) slices(ctx context.Context) ([]resourcev1.ResourceSlice, error) {
	list, err := p.client.ResourceV1().ResourceSlices().List(ctx, metav1.ListOptions{FieldSelector: "spec.driver=" + p.driver})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list.Items, func(a, b resourcev1.ResourceSlice) int {
		return cmp.Or(cmp.Compare(a.Spec.Pool.Name, b.Spec.Pool.Name), cmp.Compare(a.Name, b.Name))
	})
	return list.Items, nil
}

// summary says what each pool has, and which pools are not whole.
func summary(all []resourcev1.ResourceSlice) string {
	pools, slices := map[string]content{}, map[string]int64{}
	for _, each := range all {
		pool := pools[each.Spec.Pool.Name]
		for _, device := range each.Spec.Devices {
			pool.devices++
			pool.tainted += len(device.Taints)
		}
		pools[each.Spec.Pool.Name] = pool
		slices[each.Spec.Pool.Name]++
	}
	text := fmt.Sprint(pools)
	for _, each := range all {
		if slices[each.Spec.Pool.Name] != each.Spec.Pool.ResourceSliceCount {
			text += ", not whole: " + each.Spec.Pool.Name
		}
	}
	return text
}

// poolOf has so many devices in slices of at most 128, the first with a taint where one is wanted.
func poolOf(count int, taint string) resourceslice.Pool {
	pool := resourceslice.Pool{AllNodes: true}
	for first := 0; first < count; first += resourcev1.ResourceSliceMaxDevices {
		var slice resourceslice.Slice
		for i := first; i < min(count, first+resourcev1.ResourceSliceMaxDevices); i++ {
			slice.Devices = append(slice.Devices, resourcev1.Device{Name: fmt.Sprintf("device-%03d", i)})
		}
		pool.Slices = append(pool.Slices, slice)
	}
	if taint != "" {
		pool.Slices[0].Devices[0].Taints = []resourcev1.DeviceTaint{{Key: "example.com/odd", Value: taint, Effect: resourcev1.DeviceTaintEffectNoSchedule}}
	}
	return pool
}

func pools(of map[string]resourceslice.Pool) *resourceslice.DriverResources {
	return &resourceslice.DriverResources{Pools: of}
}

// publishPools publishes pools for all nodes, and then more, fewer, other and none.
func publishPools(ctx context.Context, s *side) error {
	steps := []struct {
		what  string
		pools map[string]resourceslice.Pool
		have  map[string]content
	}{
		{"at first", map[string]resourceslice.Pool{"one": poolOf(1, ""), "three": poolOf(3, "yes"), "many": poolOf(130, "")},
			map[string]content{"one": {1, 0}, "three": {3, 1}, "many": {130, 0}}},
		{"grown", map[string]resourceslice.Pool{"one": poolOf(2, ""), "three": poolOf(3, ""), "many": poolOf(130, "")},
			map[string]content{"one": {2, 0}, "three": {3, 0}, "many": {130, 0}}},
		{"shrunk", map[string]resourceslice.Pool{"one": poolOf(1, ""), "three": poolOf(3, ""), "many": poolOf(100, "")},
			map[string]content{"one": {1, 0}, "three": {3, 0}, "many": {100, 0}}},
		{"one pool gone", map[string]resourceslice.Pool{"three": poolOf(3, ""), "many": poolOf(100, "")},
			map[string]content{"three": {3, 0}, "many": {100, 0}}},
		{"all gone", nil, map[string]content{}},
	}
	var p *publisher
	for i, step := range steps {
		if i == 0 {
			var err error
			if p, err = s.publish(ctx, nil, pools(step.pools)); err != nil {
				return err
			}
			defer p.controller.Stop()
		} else {
			p.controller.Update(pools(step.pools))
		}
		if err := p.published(ctx, step.what, step.have); err != nil {
			return err
		}
	}
	s.note("created, updated, deleted: %+v", p.controller.GetStats())
	return nil
}

// publishForNode publishes what a node owns, and taints a device.
func publishForNode(ctx context.Context, s *side) error {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: s.namespace}}
	if _, err := s.typed(asProtobuf, nil).CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
		return err
	}
	local := func(taint string) *resourceslice.DriverResources {
		pool := poolOf(3, taint)
		pool.AllNodes = false
		return pools(map[string]resourceslice.Pool{s.namespace: pool})
	}
	owner := &resourceslice.Owner{APIVersion: "v1", Kind: "Node", Name: s.namespace}
	p, err := s.publish(ctx, owner, local(""))
	if err != nil {
		return err
	}
	defer p.controller.Stop()
	if err := p.published(ctx, "at first", map[string]content{s.namespace: {3, 0}}); err != nil {
		return err
	}
	p.controller.Update(local("yes"))
	return p.published(ctx, "tainted", map[string]content{s.namespace: {3, 1}})
}

// repairPools has somebody delete a slice, change another and add one; the controller makes it all as it was.
func repairPools(ctx context.Context, s *side) error {
	p, err := s.publish(ctx, nil, pools(map[string]resourceslice.Pool{"one": poolOf(1, ""), "three": poolOf(3, "")}))
	if err != nil {
		return err
	}
	defer p.controller.Stop()
	whole := map[string]content{"one": {1, 0}, "three": {3, 0}}
	if err := p.published(ctx, "at first", whole); err != nil {
		return err
	}
	all, err := p.slices(ctx)
	if err != nil {
		return err
	}
	client := p.client.ResourceV1().ResourceSlices()
	if err := client.Delete(ctx, all[0].Name, metav1.DeleteOptions{}); err != nil {
		return err
	}
	all[1].Spec.Devices = all[1].Spec.Devices[:2]
	if _, err := client.Update(ctx, &all[1], metav1.UpdateOptions{}); err != nil {
		return err
	}
	stray := &resourcev1.ResourceSlice{ObjectMeta: metav1.ObjectMeta{Name: p.driver + "-stray"}, Spec: resourcev1.ResourceSliceSpec{
		Driver: p.driver, AllNodes: new(true), Pool: resourcev1.ResourcePool{Name: "stray", ResourceSliceCount: 1}}}
	if _, err := client.Create(ctx, stray, metav1.CreateOptions{}); err != nil {
		return err
	}
	return p.published(ctx, "repaired", whole)
}
