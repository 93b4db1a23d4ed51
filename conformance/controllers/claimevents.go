package controllers

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"

	"quadra/conformance/dice"
)

const (
	driver    = "gpu.example.com"
	finalizer = "resource.kubernetes.io/delete-protection"
)

// claimKinds has nobody delete a claim that was made for a pod: upstream believes for an hour that it is still there, from what
// it remembers of its own writes, and makes it again only then; ours does so at once.
func claimKinds() []kind {
	return []kind{
		{8, (*sequence).createPlan},
		{2, (*sequence).deletePlan},
		{6, (*sequence).createClaim},
		{3, (*sequence).deleteClaim},
		{3, (*sequence).reserveForOther},
	}
}

func claimSpec() resourcev1.ResourceClaimSpec {
	return resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{Requests: []resourcev1.DeviceRequest{{
		Name: "gpu", Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: driver}}}}}
}

func (s *sequence) createPlan() *event {
	name := s.name("plan")
	s.plans = append(s.plans, name)
	object := &resourcev1.ResourceClaimTemplate{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       resourcev1.ResourceClaimTemplateSpec{Spec: claimSpec()},
	}
	if s.Chance(40) {
		object.Spec.Labels, object.Spec.Annotations = map[string]string{"from": name}, map[string]string{"note": "of the template"}
	}
	return &event{what: "create template " + name, do: func(ctx context.Context, at *scene) error {
		_, err := at.client.ResourceV1().ResourceClaimTemplates(at.namespace).Create(ctx, object.DeepCopy(), metav1.CreateOptions{})
		return err
	}}
}

func (s *sequence) deletePlan() *event {
	name, ok := pick(s, s.plans)
	if !ok {
		return nil
	}
	return &event{what: "delete template " + name, do: func(ctx context.Context, at *scene) error {
		return ignoreAbsent(at.client.ResourceV1().ResourceClaimTemplates(at.namespace).Delete(ctx, name, metav1.DeleteOptions{}))
	}}
}

func (s *sequence) createClaim() *event {
	name := s.name("claim")
	s.claims = append(s.claims, name)
	object := &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: claimSpec()}
	return &event{what: "create " + name, do: func(ctx context.Context, at *scene) error {
		_, err := at.client.ResourceV1().ResourceClaims(at.namespace).Create(ctx, object.DeepCopy(), metav1.CreateOptions{})
		return err
	}}
}

func (s *sequence) deleteClaim() *event {
	name, ok := pick(s, s.claims)
	if !ok {
		return nil
	}
	return &event{what: "delete " + name, do: func(ctx context.Context, at *scene) error {
		return ignoreAbsent(at.client.ResourceV1().ResourceClaims(at.namespace).Delete(ctx, name, metav1.DeleteOptions{}))
	}}
}

// reserveForOther reserves an allocated claim for a pod that never was, or for something that nobody knows.
func (s *sequence) reserveForOther() *event {
	name, ok := pick(s, s.claims)
	if !ok {
		return nil
	}
	consumer := dice.Pick(s,
		resourcev1.ResourceClaimConsumerReference{Resource: "pods", Name: "nobody", UID: "22222222-2222-4222-8222-222222222222"},
		resourcev1.ResourceClaimConsumerReference{APIGroup: "example.com", Resource: "things", Name: "thing", UID: "33333333-3333-4333-8333-333333333333"})
	return &event{
		what: fmt.Sprintf("reserve %s for %s/%s, if it is allocated", name, consumer.Resource, consumer.Name),
		do: func(ctx context.Context, at *scene) error {
			return ignoreAbsent(at.changeClaim(ctx, name, func(claim *resourcev1.ResourceClaim) bool {
				return claim.Status.Allocation != nil && reserve(claim, consumer)
			}))
		},
	}
}

// allocate gives the claim a device, where it has none, and reserves it for the pod.
func (at *scene) allocate(ctx context.Context, name, device string, object *corev1.Pod) error {
	protect := fmt.Sprintf(`{"metadata":{"finalizers":[%q]}}`, finalizer)
	claims := at.client.ResourceV1().ResourceClaims(at.namespace)
	claim, err := claims.Get(ctx, name, metav1.GetOptions{})
	if err != nil || claim.DeletionTimestamp != nil {
		return err
	}
	if _, err := claims.Patch(ctx, name, types.StrategicMergePatchType, []byte(protect), metav1.PatchOptions{}); err != nil {
		return err
	}
	return at.changeClaim(ctx, name, func(claim *resourcev1.ResourceClaim) bool {
		if claim.Status.Allocation == nil {
			claim.Status.Allocation = allocation(at.namespace, device)
		}
		return reserve(claim, resourcev1.ResourceClaimConsumerReference{Resource: "pods", Name: object.Name, UID: object.UID})
	})
}

func allocation(namespace, device string) *resourcev1.AllocationResult {
	return &resourcev1.AllocationResult{Devices: resourcev1.DeviceAllocationResult{Results: []resourcev1.DeviceRequestAllocationResult{{
		Request: "gpu", Driver: driver, Pool: namespace, Device: device}}}}
}

// reserve says whether that was missing.
func reserve(claim *resourcev1.ResourceClaim, consumer resourcev1.ResourceClaimConsumerReference) bool {
	if slices.ContainsFunc(claim.Status.ReservedFor, func(each resourcev1.ResourceClaimConsumerReference) bool { return each.UID == consumer.UID }) {
		return false
	}
	claim.Status.ReservedFor = append(claim.Status.ReservedFor, consumer)
	return true
}

// changeClaim changes its status, and looks again where somebody else was quicker.
func (at *scene) changeClaim(ctx context.Context, name string, change func(*resourcev1.ResourceClaim) bool) error {
	claims := at.client.ResourceV1().ResourceClaims(at.namespace)
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		claim, err := claims.Get(ctx, name, metav1.GetOptions{})
		if err != nil || !change(claim) {
			return err
		}
		_, err = claims.UpdateStatus(ctx, claim, metav1.UpdateOptions{})
		return err
	})
}
