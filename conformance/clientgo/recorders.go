package clientgo

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

// recordCore says the same three times, which makes one event that is counted, and something else once.
func recordCore(ctx context.Context, s *side) error {
	client := s.typed(asProtobuf, nil)
	about, err := client.CoreV1().ConfigMaps(s.namespace).Create(ctx, configMap("subject"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "recorder", Host: "here"})
	for range 3 {
		recorder.Event(about, corev1.EventTypeWarning, "Odd", "it is odd")
	}
	recorder.AnnotatedEventf(about, map[string]string{"example.com/a": "b"}, corev1.EventTypeNormal, "Even", "it is %s", "even")
	err = await(ctx, "the events", func() (bool, error) {
		list, err := client.CoreV1().Events(s.namespace).List(ctx, metav1.ListOptions{FieldSelector: "involvedObject.name=subject"})
		return err == nil && len(list.Items) == 2 && list.Items[0].Count+list.Items[1].Count == 4, err
	})
	if err != nil {
		return err
	}
	return s.showEvents(ctx, client)
}

// recordEvents says the same twice, which makes a series.
func recordEvents(ctx context.Context, s *side) error {
	client := s.typed(asProtobuf, nil)
	about, err := client.CoreV1().ConfigMaps(s.namespace).Create(ctx, configMap("subject"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
	defer broadcaster.Shutdown()
	if err := broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		return err
	}
	recorder := broadcaster.NewRecorder(scheme.Scheme, "example.com/recorder")
	for _, inSeries := range []bool{false, true} {
		recorder.Eventf(about, nil, corev1.EventTypeNormal, "Seen", "Looking", "it is %s", "there")
		err := await(ctx, fmt.Sprintf("the event, in a series %t", inSeries), func() (bool, error) {
			list, err := client.EventsV1().Events(s.namespace).List(ctx, metav1.ListOptions{})
			return err == nil && len(list.Items) == 1 && (list.Items[0].Series != nil) == inSeries, err
		})
		if err != nil {
			return err
		}
	}
	return s.showEvents(ctx, client)
}

// showEvents notes the events as both APIs have them: they are the same rows.
func (s *side) showEvents(ctx context.Context, client kubernetes.Interface) error {
	core, err := client.CoreV1().Events(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, each := range core.Items {
		s.show("core event", each)
	}
	newer, err := client.EventsV1().Events(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, each := range newer.Items {
		s.show("event", withoutSource(each))
	}
	if len(core.Items) != len(newer.Items) {
		return fmt.Errorf("%d core events, %d of events.k8s.io", len(core.Items), len(newer.Items))
	}
	return nil
}

// withoutSource is the event without the name of this machine.
func withoutSource(event eventsv1.Event) eventsv1.Event {
	event.ReportingInstance = ""
	return event
}
