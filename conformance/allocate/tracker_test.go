package allocate

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
)

// tracked are the world's slices as upstream's tracker lists them, by name.
func (w *World) tracked(t *testing.T) []*resourceapi.ResourceSlice {
	objects := []runtime.Object{}
	for _, slice := range w.Slices {
		objects = append(objects, slice.DeepCopy())
	}
	for _, rule := range w.Rules {
		objects = append(objects, rule.DeepCopy())
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	factory := informers.NewSharedInformerFactory(fake.NewSimpleClientset(objects...), 0)
	tracking, err := tracker.StartTracker(ctx, tracker.Options{EnableDeviceTaintRules: true,
		SliceInformer: factory.Resource().V1().ResourceSlices(), TaintInformer: factory.Resource().V1().DeviceTaintRules()})
	if err != nil {
		t.Fatal(err)
	}
	defer tracking.Stop()
	factory.Start(ctx.Done())
	defer factory.Shutdown()
	defer cancel()
	factory.WaitForCacheSync(ctx.Done())
	select {
	case <-tracking.HasSyncedChecker().Done():
	case <-ctx.Done():
		t.Fatal("the tracker does not end")
	}
	slices, err := tracking.ListPatchedResourceSlices()
	if err != nil {
		t.Fatal(err)
	}
	return slices
}

// canonical sorts slices and, since several rules apply in any order, taints.
func canonical(list []*resourceapi.ResourceSlice) []*resourceapi.ResourceSlice {
	result := []*resourceapi.ResourceSlice{}
	for _, slice := range list {
		slice = slice.DeepCopy()
		for _, device := range slice.Spec.Devices {
			slices.SortFunc(device.Taints, func(a, b resourceapi.DeviceTaint) int { return strings.Compare(a.String(), b.String()) })
		}
		result = append(result, slice)
	}
	slices.SortFunc(result, func(a, b *resourceapi.ResourceSlice) int { return strings.Compare(a.Name, b.Name) })
	return result
}

// TestTracker shows that rules taint devices here as they do in upstream's tracker, which is too slow to ask for every world and
// loses the order of slices.
func TestTracker(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	const wanted = 60
	for compared := 0; compared < wanted; {
		question, err := json.Marshal(NewSource(random, false).World())
		if err != nil {
			t.Fatal(err)
		}
		world, err := Read(question)
		if err != nil {
			t.Fatal(err)
		}
		if len(world.Rules) == 0 || !distinct(world.Slices) {
			continue
		}
		compared++
		if ours, theirs := canonical(world.tainted()), canonical(world.tracked(t)); !reflect.DeepEqual(ours, theirs) {
			t.Errorf("question: %s\nupstream: %v\nours:     %v", question, theirs, ours)
		}
	}
}

func distinct(list []*resourceapi.ResourceSlice) bool {
	names := map[string]bool{}
	for _, slice := range list {
		names[slice.Name] = true
	}
	return len(names) == len(list)
}
