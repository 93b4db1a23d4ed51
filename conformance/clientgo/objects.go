package clientgo

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

var (
	configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	claims     = schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "resourceclaims"}
	pods       = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
)

// kindOf are the kinds that make() knows.
var kindOf = map[schema.GroupVersionResource]string{configMaps: "ConfigMap", claims: "ResourceClaim", pods: "Pod"}

var contentOf = map[schema.GroupVersionResource]map[string]any{
	configMaps: {"data": map[string]any{"k": "v"}},
	claims: {"spec": map[string]any{"devices": map[string]any{"requests": []any{
		map[string]any{"name": "one", "exactly": map[string]any{"deviceClassName": "class"}}}}}},
	pods: {"spec": map[string]any{"nodeName": "node-1", "serviceAccountName": "default", "automountServiceAccountToken": false,
		"containers": []any{map[string]any{"name": "main", "image": "nginx"}}}},
}

// make creates an object with these labels.
func (s *side) make(ctx context.Context, kind schema.GroupVersionResource, name string, labels map[string]any) error {
	object := unstructured.Unstructured{Object: map[string]any{
		"apiVersion": kind.GroupVersion().String(), "kind": kindOf[kind], "metadata": map[string]any{"name": name, "labels": labels}}}
	for field, value := range contentOf[kind] {
		object.Object[field] = value
	}
	_, err := s.dynamic(nil).Resource(kind).Namespace(s.namespace).Create(ctx, &object, metav1.CreateOptions{})
	return err
}

// change patches an object.
func (s *side) change(ctx context.Context, kind schema.GroupVersionResource, name, patch string) error {
	_, err := s.dynamic(nil).Resource(kind).Namespace(s.namespace).Patch(ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	return err
}

func (s *side) remove(ctx context.Context, kind schema.GroupVersionResource, name string) error {
	now := int64(0)
	return s.dynamic(nil).Resource(kind).Namespace(s.namespace).Delete(ctx, name, metav1.DeleteOptions{GracePeriodSeconds: &now})
}

// settle waits until the server's cache, from which informers list, has all objects of the kind that there are now. A list as of now
// need not make the cache catch up: it may be read past it.
func (s *side) settle(ctx context.Context, kind schema.GroupVersionResource) error {
	collection := s.dynamic(nil).Resource(kind).Namespace(s.namespace)
	now, err := collection.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for {
		cached, err := collection.List(ctx, metav1.ListOptions{ResourceVersion: "0"})
		if err != nil || len(cached.Items) >= len(now.Items) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// makeMaps creates so many config maps, called map-00 and so on.
func (s *side) makeMaps(ctx context.Context, count int) error {
	for i := range count {
		if err := s.make(ctx, configMaps, fmt.Sprintf("map-%02d", i), nil); err != nil {
			return err
		}
	}
	return s.settle(ctx, configMaps)
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"k": "v"}}
}

func claim(name string) *resourcev1.ResourceClaim {
	return &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{
		Requests: []resourcev1.DeviceRequest{{Name: "one", Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "class"}}}}}}
}
