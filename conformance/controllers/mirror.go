package controllers

import (
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

// mirror is what a server has, as watches tell it: sequences look at it as often as they like, and the server has time for the
// controllers. It lags behind by what a watch takes, which is little beside what a sequence waits for.
type mirror struct {
	stop   context.CancelFunc
	kinds  []mirrored
	lookup informers.SharedInformerFactory
	told   cache.Indexer // events
}

// mirrored are the objects of one kind.
type mirrored struct {
	kind       string
	namespaced bool
	objects    cache.Indexer
}

// object is what all that is mirrored can tell.
type object interface {
	metav1.Object
}

var followed = []struct {
	kind       string
	namespaced bool
	resource   schema.GroupVersionResource
}{
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

// newMirror returns once it shows what there is.
func newMirror(ctx context.Context, client kubernetes.Interface) (*mirror, error) {
	ctx, cancel := context.WithCancel(ctx)
	factory := informers.NewSharedInformerFactory(client, 0)
	m := &mirror{stop: cancel, lookup: factory}
	for _, each := range followed {
		informer, err := factory.ForResource(each.resource)
		if err != nil {
			cancel()
			return nil, err
		}
		m.kinds = append(m.kinds, mirrored{each.kind, each.namespaced, informer.Informer().GetIndexer()})
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

// of are the objects of a namespace, and those of none whose names begin as its name does, those of a kind together.
func (m *mirror) of(namespace string) (all []entry) {
	for _, each := range m.kinds {
		found := each.objects.List()
		if each.namespaced {
			found, _ = each.objects.ByIndex(cache.NamespaceIndex, namespace) // there is that index
		}
		for _, one := range found {
			if one := one.(object); each.namespaced || strings.HasPrefix(one.GetName()+"-", namespace+"-") {
				all = append(all, entry{each.kind, one})
			}
		}
	}
	return all
}

// entry is an object as the mirror has it: nobody may change it.
type entry struct {
	kind   string
	object object
}

func (e entry) mark() string {
	return fmt.Sprintf("%s/%s@%s", e.kind, e.object.GetName(), e.object.GetResourceVersion())
}

func (e entry) tree() (tree map[string]any, err error) {
	text, err := json.Marshal(e.object)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	tree["kind"] = e.kind
	delete(tree, "apiVersion")
	return tree, nil
}

// toldIn is what controllers told people in events of a namespace, each once; how often is not compared, for retries are.
func (m *mirror) toldIn(namespace string) (all []string) {
	found, _ := m.told.ByIndex(cache.NamespaceIndex, namespace)
	for _, one := range found {
		each := one.(*corev1.Event)
		about := each.InvolvedObject
		all = append(all, fmt.Sprintf("%s told of %s %s: %s %s %s", each.Source.Component, about.Kind, about.Name, each.Type, each.Reason, each.Message))
	}
	return all
}

// node is nil where there is none.
func (m *mirror) node(name string) *corev1.Node {
	found, err := m.lookup.Core().V1().Nodes().Lister().Get(name)
	if err != nil {
		return nil
	}
	return found
}

func (m *mirror) pods(namespace string) []*corev1.Pod {
	found, _ := m.lookup.Core().V1().Pods().Lister().Pods(namespace).List(labels.Everything()) // it cannot fail
	return found
}
