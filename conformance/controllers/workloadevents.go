package controllers

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"quadra/conformance/dice"
)

func workloadKinds() []kind {
	return []kind{
		{5, (*sequence).createSet},
		{4, (*sequence).scaleSet},
		{3, (*sequence).deleteSet},
		{4, (*sequence).runSet},
		{3, (*sequence).createBudget},
	}
}

// createSet makes a ReplicaSet, whose pods may have a claim of a template.
func (s *sequence) createSet() *event {
	name := s.name("set")
	labels := map[string]string{"app": dice.Pick(s, "web", "db"), "set": name}
	template := corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: labels},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "image"}}},
	}
	if plan, ok := pick(s, s.plans); ok && s.Chance(60) {
		template.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimTemplateName: &plan}}
		template.Spec.Containers[0].Resources.Claims = []corev1.ResourceClaim{{Name: "gpu"}}
	}
	replicas := dice.Pick[int32](s, 0, 1, 2, 3)
	set := &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec:       appsv1.ReplicaSetSpec{Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: template},
	}
	s.sets = append(s.sets, name)
	return &event{what: fmt.Sprintf("create %s of %d pods with %d claims", name, replicas, len(template.Spec.ResourceClaims)),
		do: func(ctx context.Context, at *scene) error {
			_, err := at.client.AppsV1().ReplicaSets(at.namespace).Create(ctx, set.DeepCopy(), metav1.CreateOptions{})
			return err
		}}
}

func (s *sequence) scaleSet() *event {
	name, ok := pick(s, s.sets)
	if !ok {
		return nil
	}
	replicas := s.IntN(4)
	return &event{what: fmt.Sprintf("scale %s to %d", name, replicas), do: func(ctx context.Context, at *scene) error {
		patch := fmt.Sprintf(`{"spec":{"replicas":%d}}`, replicas)
		_, err := at.client.AppsV1().ReplicaSets(at.namespace).Patch(ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
		return ignoreAbsent(err)
	}}
}

func (s *sequence) deleteSet() *event {
	name, ok := pick(s, s.sets)
	if !ok {
		return nil
	}
	policy := s.policy()
	return &event{what: fmt.Sprintf("delete %s, %s", name, policy), do: func(ctx context.Context, at *scene) error {
		return ignoreAbsent(at.client.AppsV1().ReplicaSets(at.namespace).Delete(ctx, name, metav1.DeleteOptions{PropagationPolicy: &policy}))
	}}
}

// runSet does the same to all pods that were made for the set, for nobody can tell them apart.
func (s *sequence) runSet() *event {
	name, ok := pick(s, s.sets)
	if !ok {
		return nil
	}
	phase, ready := "Running", dice.Pick(s, "True", "True", "False")
	return &event{what: fmt.Sprintf("all pods of %s run, ready: %s", name, ready), do: func(ctx context.Context, at *scene) error {
		pods, err := at.client.CoreV1().Pods(at.namespace).List(ctx, metav1.ListOptions{LabelSelector: "set=" + name})
		if err != nil {
			return err
		}
		for _, each := range pods.Items {
			if err := at.setPodStatus(ctx, each.Name, phase, ready); err != nil {
				return err
			}
		}
		return nil
	}}
}

// createBudget makes the only one of these pods: where there are two, upstream looks at either of them, by chance.
func (s *sequence) createBudget() *event {
	of := dice.Pick(s, "web", "db")
	if s.budgets[of] {
		return nil
	}
	s.budgets[of] = true
	name := s.name("budget")
	amount := dice.Pick(s, intstr.FromInt32(1), intstr.FromInt32(2), intstr.FromString("50%"))
	budget := &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": of}}},
	}
	what := "at least"
	if s.Chance(40) {
		what, budget.Spec.MaxUnavailable = "at most missing", &amount
	} else {
		budget.Spec.MinAvailable = &amount
	}
	return &event{what: fmt.Sprintf("create %s: %s %s of %s", name, what, amount.String(), of),
		do: func(ctx context.Context, at *scene) error {
			_, err := at.client.PolicyV1().PodDisruptionBudgets(at.namespace).Create(ctx, budget.DeepCopy(), metav1.CreateOptions{})
			return err
		}}
}
