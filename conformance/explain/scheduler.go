package explain

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	clientset "k8s.io/client-go/kubernetes"
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
)

// features are those of a kube-scheduler without flags.
var features = feature.NewSchedulerFeaturesFromGates(utilfeature.DefaultFeatureGate)

// scheduler is the filters of kube-scheduler's default profile, as far as quadra has them, in their order.
type scheduler struct {
	cluster *Cluster
	filters []fwk.FilterPlugin
}

type factory func(context.Context, runtime.Object, fwk.Handle, feature.Features) (fwk.Plugin, error)

func newScheduler() (*scheduler, error) {
	s := &scheduler{cluster: &Cluster{}}
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
	cluster   *Cluster
	informers informers.SharedInformerFactory
}

func (h *handle) ClientSet() clientset.Interface                         { return nil }
func (h *handle) SharedInformerFactory() informers.SharedInformerFactory { return h.informers }
func (h *handle) SharedDRAManager() fwk.SharedDRAManager                 { return h.cluster }
func (h *handle) ProfileName() string                                    { return "default-scheduler" }

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
