package clientgo

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/util/retry"
)

// verbs does with typed clients what can be done to an object.
func verbs(contentType string) func(context.Context, *side) error {
	return func(ctx context.Context, s *side) error {
		requests := &log{}
		client := s.typed(contentType, requests.wrap)
		for _, each := range []func() error{
			func() error { return s.lifeOfClaim(ctx, client.ResourceV1().ResourceClaims(s.namespace)) },
			func() error { return s.lifeOfMaps(ctx, client.CoreV1().ConfigMaps(s.namespace)) },
		} {
			if err := each(); err != nil {
				return err
			}
		}
		requests.noteFor(s, "namespaces/")
		return nil
	}
}

// claimClient is the part of the typed client that is used.
type claimClient interface {
	Create(context.Context, *resourcev1.ResourceClaim, metav1.CreateOptions) (*resourcev1.ResourceClaim, error)
	Get(context.Context, string, metav1.GetOptions) (*resourcev1.ResourceClaim, error)
	Update(context.Context, *resourcev1.ResourceClaim, metav1.UpdateOptions) (*resourcev1.ResourceClaim, error)
	UpdateStatus(context.Context, *resourcev1.ResourceClaim, metav1.UpdateOptions) (*resourcev1.ResourceClaim, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
}

func (s *side) lifeOfClaim(ctx context.Context, client claimClient) error {
	made, err := client.Create(ctx, claim("claim"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	s.show("created", made)
	made.Status.Allocation = &resourcev1.AllocationResult{Devices: resourcev1.DeviceAllocationResult{
		Results: []resourcev1.DeviceRequestAllocationResult{{Request: "one", Driver: "d.example.com", Pool: "p", Device: "dev"}}}}
	made.Finalizers = []string{"example.com/keep"}
	allocated, err := client.UpdateStatus(ctx, made, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	s.show("status updated", allocated)
	_, err = client.UpdateStatus(ctx, made, metav1.UpdateOptions{})
	s.refused("status updated from an old version", err)
	wider := allocated.DeepCopy()
	wider.Spec.Devices.Requests[0].Exactly.DeviceClassName = "other"
	_, err = client.Update(ctx, wider, metav1.UpdateOptions{})
	s.refused("spec updated", err)
	_, err = client.Create(ctx, claim("claim"), metav1.CreateOptions{})
	s.refused("created again", err)
	_, err = client.Get(ctx, "claim", metav1.GetOptions{})
	s.refused("got", err)
	other := types.UID("other")
	s.refused("deleted another", client.Delete(ctx, "claim", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &other}}))
	s.refused("deleted", client.Delete(ctx, "claim", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &made.UID}}))
	left, err := client.Get(ctx, "claim", metav1.GetOptions{})
	s.refused("got after that", err)
	s.note("left: %q", left.Name)
	return nil
}

// mapClient is the part of the typed client that is used.
type mapClient interface {
	Create(context.Context, *corev1.ConfigMap, metav1.CreateOptions) (*corev1.ConfigMap, error)
	Patch(context.Context, string, types.PatchType, []byte, metav1.PatchOptions, ...string) (*corev1.ConfigMap, error)
	List(context.Context, metav1.ListOptions) (*corev1.ConfigMapList, error)
	DeleteCollection(context.Context, metav1.DeleteOptions, metav1.ListOptions) error
}

func (s *side) lifeOfMaps(ctx context.Context, client mapClient) error {
	for _, name := range []string{"a", "b", "c"} {
		object := configMap(name)
		object.BinaryData = map[string][]byte{"raw": {0, 255}}
		if _, err := client.Create(ctx, object, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	generated := configMap("")
	generated.GenerateName = "made-"
	dry, err := client.Create(ctx, generated, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		return err
	}
	s.show("created in a dry run", dry)
	for kind, patch := range map[types.PatchType]string{
		types.MergePatchType:          `{"data":{"k":null,"m":"merge"}}`,
		types.StrategicMergePatchType: `{"metadata":{"finalizers":["example.com/a"]}}`,
		types.JSONPatchType:           `[{"op":"add","path":"/data/j","value":"json"}]`,
	} {
		if _, err := client.Patch(ctx, "a", kind, []byte(patch), metav1.PatchOptions{}); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
	}
	list, err := client.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name!=b"})
	if err != nil {
		return err
	}
	s.show("listed", list)
	s.refused("deleted together", client.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
	list, err = client.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, each := range list.Items {
		s.note("left: %s, being deleted %t, finalizers %v", each.Name, each.DeletionTimestamp != nil, each.Finalizers)
	}
	return nil
}

// dynamicVerbs does with the dynamic client what differs from the typed ones: subresources, and fields it knows nothing of.
func dynamicVerbs(ctx context.Context, s *side) error {
	client := s.dynamic(nil).Resource(pods).Namespace(s.namespace)
	if err := s.make(ctx, pods, "web", nil); err != nil {
		return err
	}
	pod, err := client.Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	s.show("pod", pod)
	if err := unstructured.SetNestedField(pod.Object, "Running", "status", "phase"); err != nil {
		return err
	}
	pod, err = client.UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	s.show("status", pod.Object["status"])
	_, err = client.Patch(ctx, "web", types.MergePatchType, []byte(`{"spec":{"colour":"red"}}`), metav1.PatchOptions{FieldValidation: "Strict"})
	s.note("unknown field: %s", apierrors.ReasonForError(err)) // the words have the whole object
	_, err = client.Get(ctx, "web", metav1.GetOptions{}, "nothing")
	s.refused("unknown subresource", err)
	s.refused("deleted", client.Delete(ctx, "web", metav1.DeleteOptions{}))
	pod, err = client.Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	s.note("grace: %d", *pod.GetDeletionGracePeriodSeconds())
	return nil
}

// discover notes what clients learn of the kinds of resource.k8s.io, from the aggregated documents and from one each.
func discover(ctx context.Context, s *side) error {
	requests := &log{}
	client, err := discovery.NewDiscoveryClientForConfig(s.config(asJSON, requests.wrap))
	if err != nil {
		return err
	}
	_, aggregated, err := client.ServerGroupsAndResources()
	if err != nil {
		return err
	}
	s.noteResources("aggregated", aggregated)
	legacy := *client
	legacy.UseLegacyDiscovery = true
	plain, err := legacy.ServerResourcesForGroupVersion("resource.k8s.io/v1")
	if err != nil {
		return err
	}
	s.noteResources("plain", []*metav1.APIResourceList{plain})
	requests.noteFor(s, "api")
	return nil
}

func (s *side) noteResources(what string, lists []*metav1.APIResourceList) {
	for _, list := range lists {
		if list.GroupVersion == "resource.k8s.io/v1" {
			slices.SortFunc(list.APIResources, func(a, b metav1.APIResource) int { return slices.Compare([]string{a.Name}, []string{b.Name}) })
			for _, each := range list.APIResources {
				each.StorageVersionHash = ""
				s.show(what, each)
			}
		}
	}
}

// retryOnConflict has eight clients count in one object: no step may be lost.
func retryOnConflict(ctx context.Context, s *side) error {
	client := s.typed(asProtobuf, nil).CoreV1().ConfigMaps(s.namespace)
	if _, err := client.Create(ctx, configMap("counter"), metav1.CreateOptions{}); err != nil {
		return err
	}
	const clients, steps = 8, 5
	done := make(chan error, clients)
	for range clients {
		go func() { done <- count(ctx, client, steps) }()
	}
	for range clients {
		if err := <-done; err != nil {
			return err
		}
	}
	counter, err := client.Get(ctx, "counter", metav1.GetOptions{})
	if err != nil {
		return err
	}
	s.note("counted to %d", len(counter.Data["k"])-len("v"))
	counter.ResourceVersion = "1"
	_, err = client.Update(ctx, counter, metav1.UpdateOptions{})
	s.note("conflict: %t", apierrors.IsConflict(err))
	s.refused("updated from an old version", err)
	return nil
}

// counterClient is the part of the typed client that is used.
type counterClient interface {
	Get(context.Context, string, metav1.GetOptions) (*corev1.ConfigMap, error)
	Update(context.Context, *corev1.ConfigMap, metav1.UpdateOptions) (*corev1.ConfigMap, error)
}

// count adds a stroke so many times, each time again until nobody else wrote in between.
func count(ctx context.Context, client counterClient, steps int) error {
	patient := retry.DefaultRetry
	patient.Steps = 200
	for range steps {
		err := retry.RetryOnConflict(patient, func() error {
			counter, err := client.Get(ctx, "counter", metav1.GetOptions{})
			if err != nil {
				return err
			}
			counter.Data["k"] += "|"
			_, err = client.Update(ctx, counter, metav1.UpdateOptions{})
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
