// Package mirror shows what a server has, as watches tell it, so that comparisons look at it as often as they like and the server has
// time for those who are compared; and it puts objects in a normal form, without what no two servers have in common.
//
//	seen, err := mirror.New(ctx, client, mirror.Workloads)
//	defer seen.Stop()
//	objects := seen.Of(namespace)
//	text := mirror.Normal(trees, seen.ToldIn(namespace))
//
// It lags behind by what a watch takes.
package mirror

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// Mirror is of one server.
type Mirror struct {
	Stop context.CancelFunc

	kinds  []mirrored
	lookup informers.SharedInformerFactory
	told   cache.Indexer // events
}

// Kind is one that is followed.
type Kind struct {
	Name       string
	Namespaced bool
	Resource   schema.GroupVersionResource
}

// mirrored are the objects of one kind.
type mirrored struct {
	Kind
	objects cache.Indexer
}

// Kinds are those that controllers and schedulers write.
var Kinds = []Kind{
	{"Namespace", false, schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}},
	{"Node", false, schema.GroupVersionResource{Version: "v1", Resource: "nodes"}},
	{"ResourceSlice", false, schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "resourceslices"}},
	{"DeviceTaintRule", false, schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "devicetaintrules"}},
	{"Pod", true, schema.GroupVersionResource{Version: "v1", Resource: "pods"}},
	{"ResourceClaim", true, schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "resourceclaims"}},
	{"ResourceClaimTemplate", true, schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "resourceclaimtemplates"}},
	{"ConfigMap", true, schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}},
	{"ServiceAccount", true, schema.GroupVersionResource{Version: "v1", Resource: "serviceaccounts"}},
	{"ReplicaSet", true, schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "replicasets"}},
	{"PodDisruptionBudget", true, schema.GroupVersionResource{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"}},
}

// New returns once it shows what there is.
func New(ctx context.Context, client kubernetes.Interface, kinds ...Kind) (*Mirror, error) {
	ctx, cancel := context.WithCancel(ctx)
	factory := informers.NewSharedInformerFactory(client, 0)
	m := &Mirror{Stop: cancel, lookup: factory}
	for _, each := range kinds {
		informer, err := factory.ForResource(each.Resource)
		if err != nil {
			cancel()
			return nil, err
		}
		m.kinds = append(m.kinds, mirrored{each, informer.Informer().GetIndexer()})
	}
	m.told = factory.Core().V1().Events().Informer().GetIndexer()
	factory.Start(ctx.Done())
	for resource, synced := range factory.WaitForCacheSync(ctx.Done()) {
		if !synced {
			cancel()
			return nil, fmt.Errorf("%v cannot be followed", resource)
		}
	}
	return m, nil
}

// Of are the objects of a namespace, and those of none whose names begin as its name does, those of a kind together.
func (m *Mirror) Of(namespace string) (all []Entry) {
	for _, each := range m.kinds {
		found := each.objects.List()
		if each.Namespaced {
			found, _ = each.objects.ByIndex(cache.NamespaceIndex, namespace) // there is that index
		}
		for _, one := range found {
			if one := one.(metav1.Object); each.Namespaced || strings.HasPrefix(one.GetName()+"-", namespace+"-") {
				all = append(all, Entry{each.Name, one})
			}
		}
	}
	return all
}

// Entry is an object as the mirror has it: nobody may change it.
type Entry struct {
	Kind   string
	Object metav1.Object
}

// Mark changes whenever the object does.
func (e Entry) Mark() string {
	return fmt.Sprintf("%s/%s@%s", e.Kind, e.Object.GetName(), e.Object.GetResourceVersion())
}

// Tree is the object as JSON has it, to be changed at will.
func (e Entry) Tree() (tree map[string]any, err error) {
	text, err := json.Marshal(e.Object)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	tree["kind"] = e.Kind
	delete(tree, "apiVersion")
	return tree, nil
}

// ToldIn is what controllers told people in events of a namespace, each once; how often is not compared, for retries are.
func (m *Mirror) ToldIn(namespace string) (all []string) {
	found, _ := m.told.ByIndex(cache.NamespaceIndex, namespace)
	for _, one := range found {
		each := one.(*corev1.Event)
		about := each.InvolvedObject
		all = append(all, fmt.Sprintf("%s told of %s %s: %s %s %s", cmp.Or(each.Source.Component, each.ReportingController), about.Kind, about.Name, each.Type, each.Reason, each.Message))
	}
	return all
}

// Node is nil where there is none.
func (m *Mirror) Node(name string) *corev1.Node {
	found, err := m.lookup.Core().V1().Nodes().Lister().Get(name)
	if err != nil {
		return nil
	}
	return found
}

// Pods are those of a namespace.
func (m *Mirror) Pods(namespace string) []*corev1.Pod {
	found, _ := m.lookup.Core().V1().Pods().Lister().Pods(namespace).List(labels.Everything()) // it cannot fail
	return found
}
