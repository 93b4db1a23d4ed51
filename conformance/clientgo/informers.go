package clientgo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/tools/cache"
)

// informerMaker gives an informer for the labelled objects of a kind.
type informerMaker func(s *side, requests *log, kind schema.GroupVersionResource) (cache.SharedIndexInformer, error)

func watchedOnly(options *metav1.ListOptions) { options.LabelSelector = "watched=yes" }

func typedInformer(contentType string) informerMaker {
	return func(s *side, requests *log, kind schema.GroupVersionResource) (cache.SharedIndexInformer, error) {
		factory := informers.NewSharedInformerFactoryWithOptions(s.typed(contentType, requests.wrap), 0,
			informers.WithNamespace(s.namespace), informers.WithTweakListOptions(watchedOnly))
		informer, err := factory.ForResource(kind)
		if err != nil {
			return nil, err
		}
		return informer.Informer(), nil
	}
}

func dynamicInformer(s *side, requests *log, kind schema.GroupVersionResource) (cache.SharedIndexInformer, error) {
	return dynamicinformer.NewFilteredDynamicSharedInformerFactory(s.dynamic(requests.wrap), 0, s.namespace, watchedOnly).ForResource(kind).Informer(), nil
}

func metadataInformer(s *side, requests *log, kind schema.GroupVersionResource) (cache.SharedIndexInformer, error) {
	return metadatainformer.NewFilteredSharedInformerFactory(s.metadata(requests.wrap), 0, s.namespace, watchedOnly).ForResource(kind).Informer(), nil
}

// informerPrograms are every kind of informer, with lists as streams and in pages.
func informerPrograms() (all []program) {
	makers := []struct {
		name string
		make informerMaker
	}{
		{"typed informer, protobuf", typedInformer(asProtobuf)},
		{"typed informer, JSON", typedInformer(asJSON)},
		{"dynamic informer", dynamicInformer},
		{"metadata informer", metadataInformer},
	}
	for _, each := range makers {
		for _, streaming := range []bool{true, false} {
			for _, kind := range []schema.GroupVersionResource{configMaps, claims, pods} {
				name := fmt.Sprintf("%s, %s, streaming %t", each.name, kind.Resource, streaming)
				all = append(all, program{name, streaming, followLabels(each.make, kind)})
			}
		}
	}
	return all
}

// followLabels has objects come into an informer's view, change and leave it.
func followLabels(make informerMaker, kind schema.GroupVersionResource) func(context.Context, *side) error {
	return func(ctx context.Context, s *side) error {
		watched, other := map[string]any{"watched": "yes"}, map[string]any{"watched": "no"}
		for name, labels := range map[string]map[string]any{"a": watched, "b": watched, "c": other} {
			if err := s.make(ctx, kind, name, labels); err != nil {
				return err
			}
		}
		if err := s.settle(ctx, kind); err != nil {
			return err
		}
		requests := &log{}
		informer, err := make(s, requests, kind)
		if err != nil {
			return err
		}
		told, err := follow(ctx, informer, 2)
		if err != nil {
			return err
		}
		slices.Sort(told.initial) // no order is promised
		s.note("at first %v", told.initial)
		if err := s.walk(ctx, kind, told); err != nil {
			return err
		}
		s.showStore(informer)
		requests.noteFor(s, kind.Resource)
		return nil
	}
}

// walk makes one change after the other and notes what the informer tells of each.
func (s *side) walk(ctx context.Context, kind schema.GroupVersionResource, told *handler) error {
	changes := []func() error{
		func() error { return s.make(ctx, kind, "d", map[string]any{"watched": "yes"}) },
		func() error { return s.change(ctx, kind, "c", `{"metadata":{"labels":{"watched":"yes"}}}`) },
		func() error { return s.change(ctx, kind, "b", `{"metadata":{"annotations":{"x":"y"}}}`) },
		func() error { return s.change(ctx, kind, "a", `{"metadata":{"labels":null}}`) },
	}
	for _, change := range changes {
		if err := change(); err != nil {
			return err
		}
		event, err := told.next(ctx)
		if err != nil {
			return err
		}
		s.note("%s", event)
	}
	return s.walkOff(ctx, kind, told)
}

// walkOff deletes an object and notes what the informer tells until it is gone: of a pod, that it is to go.
func (s *side) walkOff(ctx context.Context, kind schema.GroupVersionResource, told *handler) error {
	if err := s.remove(ctx, kind, "b"); err != nil {
		return err
	}
	for event := ""; event != "delete b"; {
		var err error
		if event, err = told.next(ctx); err != nil {
			return err
		}
		s.note("%s", event)
	}
	return nil
}

// showStore notes the names and contents that an informer holds.
func (s *side) showStore(informer cache.SharedIndexInformer) {
	keys := informer.GetStore().ListKeys()
	slices.Sort(keys)
	for _, key := range keys {
		object, _, _ := informer.GetStore().GetByKey(key)
		s.show(key, object)
	}
}

// handler keeps what an informer tells: what there was at first, and then event by event.
type handler struct {
	initial []string
	events  chan string
}

// follow runs the informer until it has synced and told of so many objects.
func follow(ctx context.Context, informer cache.SharedIndexInformer, initially int) (*handler, error) {
	h := &handler{events: make(chan string, 100)}
	registration, err := informer.AddEventHandler(h)
	if err != nil {
		return nil, err
	}
	go informer.RunWithContext(ctx)
	if !cache.WaitForCacheSync(ctx.Done(), registration.HasSynced) {
		return nil, fmt.Errorf("the informer does not sync")
	}
	for range initially {
		event, err := h.next(ctx)
		if err != nil {
			return nil, err
		}
		h.initial = append(h.initial, event)
	}
	return h, nil
}

// next is the next event; nothing for ten seconds is an error.
func (h *handler) next(ctx context.Context) (string, error) {
	select {
	case event := <-h.events:
		return event, nil
	case <-time.After(10 * time.Second):
		return "", fmt.Errorf("the informer tells of nothing")
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (h *handler) OnAdd(object any, isInInitialList bool) {
	h.events <- fmt.Sprintf("add %s, initially %t", nameOf(object), isInInitialList)
}

func (h *handler) OnUpdate(_, object any) { h.events <- "update " + nameOf(object) }

func (h *handler) OnDelete(object any) { h.events <- "delete " + nameOf(object) }

func nameOf(object any) string {
	if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		return tombstone.Key + ", unseen"
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return err.Error()
	}
	return accessor.GetName()
}
