package controllers

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"quadra/conformance/dice"
)

func podKinds() []kind {
	return []kind{
		{14, (*sequence).createPod},
		{10, (*sequence).schedulePod},
		{6, (*sequence).runPod},
		{6, (*sequence).finishPod},
		{8, (*sequence).deletePod},
		{5, func(s *sequence) *event { return letGo() }},
	}
}

func whichever(*pod) bool { return true }

// createPod makes a pod with up to two claims: of templates and of users, some of which do not exist yet.
func (s *sequence) createPod() *event {
	made := &pod{name: s.name("pod"), claims: dice.Pick(s, 0, 1, 1, 2), scheduled: s.Chance(25)}
	object := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: made.name, Labels: map[string]string{"app": dice.Pick(s, "web", "db")}},
		Spec: corev1.PodSpec{
			Containers:                    []corev1.Container{{Name: "main", Image: "image"}},
			Tolerations:                   s.tolerations(),
			TerminationGracePeriodSeconds: ptr(dice.Pick[int64](s, 30, 30, 0)),
		},
	}
	var said []string
	for i := range made.claims {
		reference := s.reference(fmt.Sprintf("entry-%d", i))
		said = append(said, deref(reference.ResourceClaimName, "")+deref(reference.ResourceClaimTemplateName, ""))
		object.Spec.ResourceClaims = append(object.Spec.ResourceClaims, reference)
		object.Spec.Containers[0].Resources.Claims = append(object.Spec.Containers[0].Resources.Claims, corev1.ResourceClaim{Name: reference.Name})
	}
	if made.scheduled {
		object.Spec.NodeName = s.node()
	}
	s.pods = append(s.pods, made)
	return &event{
		what: fmt.Sprintf("create %s with %q on node %q", made.name, said, object.Spec.NodeName),
		do: func(ctx context.Context, at *scene) error {
			_, err := at.client.CoreV1().Pods(at.namespace).Create(ctx, object.DeepCopy(), metav1.CreateOptions{})
			return err
		},
	}
}

func (s *sequence) tolerations() []corev1.Toleration {
	switch s.IntN(4) {
	case 0:
		return []corev1.Toleration{{Key: "wear", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute}}
	case 1:
		return []corev1.Toleration{{Key: "wear", Operator: corev1.TolerationOpExists, TolerationSeconds: ptr[int64](300), Effect: corev1.TaintEffectNoExecute}}
	}
	return nil
}

// reference is a claim of a pod; the last name is one that may come later, or never.
func (s *sequence) reference(entry string) corev1.PodResourceClaim {
	reference := corev1.PodResourceClaim{Name: entry}
	if s.Chance(60) {
		reference.ResourceClaimTemplateName = ptr(s.oneOf(s.plans, "plan"))
	} else {
		reference.ResourceClaimName = ptr(s.oneOf(s.claims, "claim"))
	}
	return reference
}

// oneOf is a name that there is, or the next of its sort that there may be.
func (s *sequence) oneOf(names []string, prefix string) string {
	if name, ok := pick(s, names); ok && s.Chance(85) {
		return name
	}
	return fmt.Sprintf("%s-%d", prefix, s.made+1)
}

// schedulePod does what a scheduler does: it allocates and reserves all claims, and binds. Where a claim is missing it waits.
func (s *sequence) schedulePod() *event {
	chosen := s.pickPod(func(p *pod) bool { return !p.scheduled || p.claims > 0 })
	if chosen == nil {
		return nil
	}
	chosen.scheduled = true
	node, device := s.node(), fmt.Sprintf("gpu-%d", s.IntN(3))
	return &event{
		what: fmt.Sprintf("schedule %s to %s with %s", chosen.name, node, device),
		do: func(ctx context.Context, at *scene) error {
			object, err := at.pod(ctx, chosen.name)
			if err != nil || object.DeletionTimestamp != nil {
				return ignoreAbsent(err)
			}
			for _, each := range object.Spec.ResourceClaims {
				name := claimOf(object, each)
				if name == "" {
					return nil
				}
				if err := at.allocate(ctx, name, device, object); err != nil {
					return ignoreAbsent(err)
				}
			}
			if object.Spec.NodeName != "" {
				return nil
			}
			return at.bind(ctx, object, node)
		},
	}
}

// claimOf is the name of the claim that the entry means; empty where there is none yet.
func claimOf(object *corev1.Pod, entry corev1.PodResourceClaim) string {
	if entry.ResourceClaimName != nil {
		return *entry.ResourceClaimName
	}
	for _, each := range object.Status.ResourceClaimStatuses {
		if each.Name == entry.Name {
			return deref(each.ResourceClaimName, "")
		}
	}
	return ""
}

func (at *scene) pod(ctx context.Context, name string) (*corev1.Pod, error) {
	return at.client.CoreV1().Pods(at.namespace).Get(ctx, name, metav1.GetOptions{})
}

func (at *scene) bind(ctx context.Context, object *corev1.Pod, node string) error {
	return at.client.CoreV1().Pods(at.namespace).Bind(ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: object.Name, UID: object.UID},
		Target:     corev1.ObjectReference{Kind: "Node", Name: node},
	}, metav1.CreateOptions{})
}

func (s *sequence) runPod() *event {
	chosen := s.pickPod(func(p *pod) bool { return p.scheduled })
	if chosen == nil {
		return nil
	}
	ready := dice.Pick(s, "True", "True", "False")
	return &event{
		what: fmt.Sprintf("%s runs, ready: %s", chosen.name, ready),
		do: func(ctx context.Context, at *scene) error {
			return at.setPodStatus(ctx, chosen.name, "Running", ready)
		},
	}
}

// finishPod ends a pod; one with claims is deleted at once, since upstream makes the claims of finished pods again and again.
func (s *sequence) finishPod() *event {
	chosen := s.pickPod(func(p *pod) bool { return p.scheduled })
	if chosen == nil {
		return nil
	}
	phase := dice.Pick(s, "Succeeded", "Failed")
	chosen.deleted = chosen.claims > 0
	what := fmt.Sprintf("%s is %s", chosen.name, strings.ToLower(phase))
	if chosen.deleted {
		what += " and deleted"
	}
	return &event{what: what, do: func(ctx context.Context, at *scene) error {
		if chosen.claims > 0 {
			if err := at.deletePod(ctx, chosen.name, 30); err != nil {
				return ignoreAbsent(err)
			}
		}
		return at.setPodStatus(ctx, chosen.name, phase, "False")
	}}
}

func (at *scene) setPodStatus(ctx context.Context, name, phase, ready string) error {
	patch := fmt.Sprintf(`{"status":{"phase":%q,"conditions":[{"type":"Ready","status":%q}]}}`, phase, ready)
	_, err := at.client.CoreV1().Pods(at.namespace).Patch(ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}, "status")
	return ignoreAbsent(err)
}

func (s *sequence) deletePod() *event {
	chosen := s.pickPod(whichever)
	if chosen == nil {
		return nil
	}
	chosen.deleted = true
	grace := dice.Pick[int64](s, 30, 30, 0)
	return &event{
		what: fmt.Sprintf("delete %s, grace %d", chosen.name, grace),
		do: func(ctx context.Context, at *scene) error {
			return ignoreAbsent(at.deletePod(ctx, chosen.name, grace))
		},
	}
}

func (at *scene) deletePod(ctx context.Context, name string, grace int64) error {
	return at.client.CoreV1().Pods(at.namespace).Delete(ctx, name, metav1.DeleteOptions{GracePeriodSeconds: &grace})
}

// letGo is the end of all pods that are being deleted, as their kubelets would bring it about.
func letGo() *event {
	return &event{what: "kubelets let go of pods that are being deleted", do: func(ctx context.Context, at *scene) error {
		pods, err := at.client.CoreV1().Pods(at.namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, each := range pods.Items {
			if each.DeletionTimestamp == nil {
				continue
			}
			if err := at.deletePod(ctx, each.Name, 0); ignoreAbsent(err) != nil {
				return err
			}
		}
		return nil
	}}
}

func ignoreAbsent(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

func ptr[T any](value T) *T { return &value }

func deref[T any](value *T, instead T) T {
	if value == nil {
		return instead
	}
	return *value
}
