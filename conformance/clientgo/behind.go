package clientgo

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
)

// fallBehind is an informer whose first watch ends soon and whose second asks for events that are gone: it has to list anew, and
// misses nothing.
func fallBehind(ctx context.Context, s *side) error {
	if err := s.makeMaps(ctx, 3); err != nil {
		return err
	}
	requests := &log{}
	client := s.typed(asProtobuf, func(next http.RoundTripper) http.RoundTripper { return forgetful(requests.wrap(next)) })
	informer := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(s.namespace)).Core().V1().ConfigMaps().Informer()
	told, err := follow(ctx, informer, 3)
	if err != nil {
		return err
	}
	err = await(ctx, "the informer to ask for what is gone", func() (bool, error) { return requests.count("resourceVersion=1&") > 0, nil })
	if err != nil {
		return err
	}
	for _, name := range []string{"late", "later"} { // the one may be listed, the other is watched
		if err := s.make(ctx, configMaps, name, nil); err != nil {
			return err
		}
		for event := ""; event != "add "+name+", initially false"; {
			if event, err = told.next(ctx); err != nil {
				return err
			}
		}
	}
	s.showStore(informer)
	requests.noteFor(s, "configmaps")
	return nil
}

// forgetful has a client's first watch end after a second and lets its second ask from revision 1.
func forgetful(next http.RoundTripper) http.RoundTripper {
	var watches atomic.Int32
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		query := request.URL.Query()
		if query.Get("watch") != "" {
			switch watches.Add(1) {
			case 1:
				query.Set("timeoutSeconds", "2")
			case 2:
				query.Set("resourceVersion", "1")
			}
			request = request.Clone(request.Context())
			request.URL.RawQuery = query.Encode()
		}
		return next.RoundTrip(request)
	})
}

// watchThatFellBehind gets the error that says so, as an event, and nothing after it.
func watchThatFellBehind(ctx context.Context, s *side) error {
	for _, contentType := range []string{asProtobuf, asJSON} {
		client := s.typed(contentType, nil).CoreV1().ConfigMaps(s.namespace)
		watcher, err := client.Watch(ctx, metav1.ListOptions{ResourceVersion: "1"})
		if err != nil {
			return err
		}
		for event := range watcher.ResultChan() {
			err := apierrors.FromObject(event.Object)
			s.refused(string(event.Type), err)
			s.note("expired: %t", apierrors.IsResourceExpired(err))
		}
		retrying, err := watchtools.NewRetryWatcherWithContext(ctx, "1", &cache.ListWatch{
			WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
				return client.Watch(ctx, options)
			}})
		if err != nil {
			return err
		}
		for event := range retrying.ResultChan() {
			s.refused("retrying: "+string(event.Type), apierrors.FromObject(event.Object))
		}
	}
	return nil
}

// watchUntil waits for a change of one object, as kubectl wait does.
func watchUntil(ctx context.Context, s *side) error {
	client := s.typed(asProtobuf, nil).CoreV1().ConfigMaps(s.namespace)
	if err := s.makeMaps(ctx, 2); err != nil {
		return err
	}
	changed := make(chan error, 1)
	go func() {
		time.Sleep(50 * time.Millisecond)
		changed <- s.change(ctx, configMaps, "map-01", `{"data":{"k":"changed"}}`)
	}()
	named := fields.OneTermEqualSelector("metadata.name", "map-01").String()
	source := cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			options.FieldSelector = named
			return client.List(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.FieldSelector = named
			return client.Watch(ctx, options)
		},
	}, s.typed(asProtobuf, nil))
	event, err := watchtools.UntilWithSync(ctx, source, &corev1.ConfigMap{}, nil, func(event watch.Event) (bool, error) {
		object, ok := event.Object.(*corev1.ConfigMap)
		if !ok {
			return false, fmt.Errorf("a %T", event.Object)
		}
		return object.Data["k"] == "changed", nil
	})
	if err != nil {
		return err
	}
	s.show(string(event.Type), event.Object)
	return <-changed
}
