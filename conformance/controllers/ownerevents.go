package controllers

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"quadra/conformance/dice"
)

// hold is a finalizer that nobody serves but the sequence.
const hold = "example.com/hold"

func ownerKinds() []kind {
	return []kind{
		{10, (*sequence).createMap},
		{8, (*sequence).deleteMap},
		{3, (*sequence).releaseMap},
		{2, (*sequence).closeCircle},
		{3, (*sequence).disownMap},
	}
}

// owner is a wish: a ConfigMap, or one that never was.
type owner struct {
	name  string
	block bool
}

// createMap makes a ConfigMap with up to two owners.
func (s *sequence) createMap() *event {
	name := s.name("map")
	var owners []owner
	for range dice.Pick(s, 0, 1, 1, 1, 2) {
		of, ok := pick(s, s.maps)
		if !ok || s.Chance(12) {
			of = "nobody"
		}
		if len(owners) == 0 || owners[0].name != of {
			owners = append(owners, owner{of, s.Chance(50)})
		}
	}
	object := corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if s.Chance(20) {
		object.Finalizers = []string{hold}
		s.held = append(s.held, name)
	}
	s.maps = append(s.maps, name)
	return &event{
		what: fmt.Sprintf("create %s of %v with finalizers %v", name, owners, object.Finalizers),
		do: func(ctx context.Context, at *scene) error {
			made := object.DeepCopy()
			var err error
			if made.OwnerReferences, err = at.references(ctx, owners); err != nil {
				return err
			}
			_, err = at.client.CoreV1().ConfigMaps(at.namespace).Create(ctx, made, metav1.CreateOptions{})
			return err
		},
	}
}

// references name owners that there are by their uid, others by one of nobody.
func (at *scene) references(ctx context.Context, owners []owner) (all []metav1.OwnerReference, err error) {
	for _, each := range owners {
		uid := types.UID("11111111-1111-4111-8111-111111111111")
		object, err := at.client.CoreV1().ConfigMaps(at.namespace).Get(ctx, each.name, metav1.GetOptions{})
		if err == nil {
			uid = object.UID
		} else if !apierrors.IsNotFound(err) {
			return nil, err
		}
		all = append(all, metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: each.name, UID: uid, BlockOwnerDeletion: ptr(each.block)})
	}
	return all, nil
}

func (s *sequence) deleteMap() *event {
	name, ok := pick(s, s.maps)
	if !ok {
		return nil
	}
	policy := s.policy()
	return &event{what: fmt.Sprintf("delete %s, %s", name, policy), do: func(ctx context.Context, at *scene) error {
		return ignoreAbsent(at.client.CoreV1().ConfigMaps(at.namespace).Delete(ctx, name, metav1.DeleteOptions{PropagationPolicy: &policy}))
	}}
}

func (s *sequence) policy() metav1.DeletionPropagation {
	return dice.Pick(s, metav1.DeletePropagationBackground, metav1.DeletePropagationForeground, metav1.DeletePropagationOrphan)
}

func (s *sequence) releaseMap() *event {
	name, ok := pick(s, s.held)
	if !ok {
		return nil
	}
	return &event{what: "take the finalizer off " + name, do: func(ctx context.Context, at *scene) error { return at.release(ctx, name) }}
}

// release takes the finalizer of nobody off, and leaves others.
func (at *scene) release(ctx context.Context, name string) error {
	patch := fmt.Sprintf(`{"metadata":{"$deleteFromPrimitiveList/finalizers":[%q]}}`, hold)
	_, err := at.client.CoreV1().ConfigMaps(at.namespace).Patch(ctx, name, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
	return ignoreAbsent(err)
}

// closeCircle makes a map the owner of one that was made before it.
func (s *sequence) closeCircle() *event {
	if len(s.maps) < 2 {
		return nil
	}
	at := s.IntN(len(s.maps) - 1)
	return s.own(s.maps[at], []owner{{s.maps[len(s.maps)-1], s.Chance(50)}})
}

func (s *sequence) disownMap() *event {
	name, ok := pick(s, s.maps)
	if !ok {
		return nil
	}
	return s.own(name, nil)
}

func (s *sequence) own(name string, owners []owner) *event {
	return &event{what: fmt.Sprintf("let %s be of %v alone", name, owners), do: func(ctx context.Context, at *scene) error {
		references, err := at.references(ctx, owners)
		if err != nil {
			return err
		}
		object, err := at.client.CoreV1().ConfigMaps(at.namespace).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return ignoreAbsent(err)
		}
		object.OwnerReferences = references
		_, err = at.client.CoreV1().ConfigMaps(at.namespace).Update(ctx, object, metav1.UpdateOptions{})
		return ignoreAbsent(err)
	}}
}
