package schedule

import (
	"context"
	"fmt"
	"slices"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"

	"quadra/conformance/explain"
)

// scheduler shows upstream's plugins one world after the other.
type scheduler struct {
	devices   *explain.Cluster
	snapshot  *snapshot
	nominated nominated
	profiles  map[string]*profile // by configuration
}

// snapshot is the cluster as the plugins see it; the one inside is replaced for every world.
type snapshot struct{ *internalcache.Snapshot }

// profile is the default one with what a configuration changes.
type profile struct {
	informers informers.SharedInformerFactory
	framework framework.Framework
	plugins   []plugin
}

type plugin struct {
	fwk.Plugin
	weight int64
}

func newScheduler() *scheduler {
	metrics.Register()
	return &scheduler{devices: &explain.Cluster{}, snapshot: &snapshot{}, profiles: map[string]*profile{}}
}

// show makes the world the cluster that plugins see.
func (s *scheduler) show(world *World) error {
	s.snapshot.Snapshot = internalcache.NewEmptySnapshot()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	seen := internalcache.New(ctx, nil, false, false)
	for _, node := range world.Nodes {
		seen.AddNode(klog.Background(), node)
	}
	s.nominated.pods = nil
	for _, pod := range world.Pods {
		switch {
		case pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed:
		case pod.Spec.NodeName != "":
			if err := seen.AddPod(klog.Background(), pod); err != nil {
				return err
			}
		case pod.Status.NominatedNodeName != "":
			s.nominated.pods = append(s.nominated.pods, pod)
		}
	}
	if err := seen.UpdateSnapshot(klog.Background(), s.snapshot.Snapshot); err != nil {
		return err
	}
	s.devices.Show(world.Slices, world.Classes, world.Claims)
	return nil
}

// show makes what selects pods from outside known to the profile.
func (p *profile) show(world *World) {
	core, apps := p.informers.Core().V1(), p.informers.Apps().V1()
	fill(core.Namespaces().Informer(), world.Namespaces)
	fill(core.Services().Informer(), world.Services)
	fill(core.ReplicationControllers().Informer(), world.Controllers)
	fill(apps.ReplicaSets().Informer(), world.ReplicaSets)
	fill(apps.StatefulSets().Informer(), world.StatefulSets)
}

func fill[T any](informer cache.SharedIndexInformer, objects []T) {
	list := []any{}
	for _, object := range objects {
		list = append(list, object)
	}
	if err := informer.GetIndexer().Replace(list, ""); err != nil {
		panic(err)
	}
}

// profileOf is made once for every configuration.
func (s *scheduler) profileOf(text string) (*profile, error) {
	if made, ok := s.profiles[text]; ok {
		return made, nil
	}
	made, err := s.makeProfile(text)
	if err != nil {
		return nil, err
	}
	s.profiles[text] = made
	return made, nil
}

func (s *scheduler) makeProfile(text string) (*profile, error) {
	read := text
	if read == "" {
		read = `{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration"}`
	}
	object, _, err := scheme.Codecs.UniversalDecoder().Decode([]byte(read), nil, nil)
	if err != nil {
		return nil, err
	}
	chosen := object.(*config.KubeSchedulerConfiguration).Profiles[0]
	enabled := &chosen.Plugins.MultiPoint.Enabled
	known := registered()
	*enabled = slices.DeleteFunc(*enabled, func(each config.Plugin) bool { return known[each.Name] == nil })
	made := map[string]fwk.Plugin{}
	ctx := context.Background()
	result := &profile{informers: informers.NewSharedInformerFactory(nil, 0)}
	result.framework, err = frameworkruntime.NewFramework(ctx, keeping(made), &chosen,
		frameworkruntime.WithSnapshotSharedLister(s.snapshot), frameworkruntime.WithInformerFactory(result.informers),
		frameworkruntime.WithPodNominator(&s.nominated), frameworkruntime.WithParallelism(1),
		frameworkruntime.WithSharedDRAManager(s.devices))
	if err != nil {
		return nil, err
	}
	for _, each := range *enabled {
		result.plugins = append(result.plugins, plugin{made[each.Name], max(1, int64(each.Weight))})
	}
	return result, nil
}

// keeping is the registry, which also puts what it makes into the map.
func keeping(made map[string]fwk.Plugin) frameworkruntime.Registry {
	registry := frameworkruntime.Registry{}
	for name, factory := range registered() {
		registry[name] = func(ctx context.Context, args runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
			plugin, err := factory(ctx, args, handle)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			made[name] = plugin
			return plugin, nil
		}
	}
	return registry
}

// nominated are pods that wait and are promised a node.
type nominated struct {
	fwk.PodNominator
	pods []*v1.Pod
}

func (n *nominated) NominatedPodsForNode(node string) []fwk.PodInfo {
	infos := []fwk.PodInfo{}
	for _, pod := range n.pods {
		if pod.Status.NominatedNodeName == node {
			info, _ := framework.NewPodInfo(pod)
			infos = append(infos, info)
		}
	}
	return infos
}
