package controllers

import (
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"

	"quadra/conformance/dice"
)

func nodeKinds() []kind {
	return []kind{
		{4, (*sequence).taintNode},
		{3, (*sequence).untaintNode},
		{2, (*sequence).cordonNode},
		{2, (*sequence).pressNode},
		{1, (*sequence).failNode},
		{1, (*sequence).loseNode},
		{1, (*sequence).silenceNode},
	}
}

// slow is how long controllers may take to give a node up: they call one silent after 50 seconds, see to pods of nodes that are
// gone once in 20 after they have waited 40, and taint one node in 10 seconds of all that have failed at the same time.
const slow = 4 * time.Minute

// evicts says whether the node is tainted so that pods which do not tolerate it leave.
func (at *scene) evicts(node, taint string) bool {
	found := at.side.mirror.Node(node)
	return found != nil && slices.ContainsFunc(found.Spec.Taints, func(each corev1.Taint) bool {
		return each.Key == taint && each.Effect == corev1.TaintEffectNoExecute
	})
}

func (at *scene) hasPod(node string, such func(*corev1.Pod) bool) bool {
	return slices.ContainsFunc(at.side.mirror.Pods(at.namespace), func(each *corev1.Pod) bool {
		return each.Spec.NodeName == node && such(each)
	})
}

func terminates(pod *corev1.Pod) bool { return pod.DeletionTimestamp != nil }
func anyPod(*corev1.Pod) bool         { return true }

var wear = corev1.Taint{Key: "wear", Value: "out", Effect: corev1.TaintEffectNoExecute}

func (s *sequence) taintNode() *event {
	node := s.node()
	if s.tainted[node] || s.lost[node] {
		return nil
	}
	s.tainted[node] = true
	return changeNode("taint "+node, node, func(object *corev1.Node) { object.Spec.Taints = append(object.Spec.Taints, wear) })
}

func (s *sequence) untaintNode() *event {
	node := s.node()
	if !s.tainted[node] || s.lost[node] {
		return nil
	}
	delete(s.tainted, node)
	return changeNode("untaint "+node, node, func(object *corev1.Node) {
		object.Spec.Taints = slices.DeleteFunc(object.Spec.Taints, func(each corev1.Taint) bool { return each.Key == wear.Key })
	})
}

func (s *sequence) cordonNode() *event {
	node, closed := s.node(), s.Chance(60)
	if s.lost[node] {
		return nil
	}
	return changeNode(fmt.Sprintf("%s is unschedulable: %v", node, closed), node, func(object *corev1.Node) { object.Spec.Unschedulable = closed })
}

// pressNode has a node say that it is short of something, or no longer.
func (s *sequence) pressNode() *event {
	node := s.node()
	if s.lost[node] {
		return nil
	}
	of := dice.Pick(s, corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodePIDPressure)
	status := dice.Pick(s, corev1.ConditionTrue, corev1.ConditionFalse)
	return &event{what: fmt.Sprintf("%s says %s is %s", node, of, status), do: func(ctx context.Context, at *scene) error {
		return at.setNodeConditions(ctx, node, corev1.NodeCondition{Type: of, Status: status, Reason: "Said", Message: "by the sequence"})
	}}
}

// failNode has a node say that it is not ready; half of such nodes are declared out of service, so that nobody waits for them.
func (s *sequence) failNode() *event {
	node, out := s.node(), s.Chance(50)
	if s.lost[node] {
		return nil
	}
	s.lost[node] = true
	return &event{
		what:     fmt.Sprintf("%s is not ready, out of service: %v", node, out),
		patience: slow,
		until: func(at *scene) bool {
			return at.evicts(node, corev1.TaintNodeNotReady) && !(out && at.hasPod(node, terminates))
		},
		do: func(ctx context.Context, at *scene) error {
			if out {
				gone := corev1.Taint{Key: corev1.TaintNodeOutOfService, Value: "nodeshutdown", Effect: corev1.TaintEffectNoExecute}
				add := changeNode("", node, func(object *corev1.Node) { object.Spec.Taints = append(object.Spec.Taints, gone) })
				if err := add.do(ctx, at); err != nil {
					return err
				}
			}
			return at.setNodeConditions(ctx, node, corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionFalse, Reason: "Said", Message: "by the sequence"})
		},
	}
}

// loseNode deletes a node, for which controllers wait a while before they take its pods away.
func (s *sequence) loseNode() *event {
	node := s.node()
	if s.lost[node] {
		return nil
	}
	s.lost[node] = true
	return &event{
		what:     "delete " + node,
		patience: slow,
		until:    func(at *scene) bool { return !at.hasPod(node, anyPod) },
		do: func(ctx context.Context, at *scene) error {
			return at.client.CoreV1().Nodes().Delete(ctx, node, metav1.DeleteOptions{})
		},
	}
}

// silenceNode has the kubelet of a node say nothing any more, which controllers believe after 50 seconds.
func (s *sequence) silenceNode() *event {
	node := s.node()
	if s.lost[node] {
		return nil
	}
	s.lost[node] = true
	return &event{
		what:     node + " says nothing any more",
		patience: slow,
		until:    func(at *scene) bool { return at.evicts(node, corev1.TaintNodeUnreachable) },
		do: func(_ context.Context, at *scene) error {
			at.side.silent.Store(node, true)
			return nil
		},
	}
}

func changeNode(what, node string, change func(*corev1.Node)) *event {
	return &event{what: what, do: func(ctx context.Context, at *scene) error {
		return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
			object, err := at.client.CoreV1().Nodes().Get(ctx, node, metav1.GetOptions{})
			if err != nil {
				return err
			}
			change(object)
			_, err = at.client.CoreV1().Nodes().Update(ctx, object, metav1.UpdateOptions{})
			return err
		})
	}}
}

// setNodeConditions replaces those of the same types.
func (at *scene) setNodeConditions(ctx context.Context, node string, conditions ...corev1.NodeCondition) error {
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		object, err := at.client.CoreV1().Nodes().Get(ctx, node, metav1.GetOptions{})
		if err != nil {
			return err
		}
		for _, each := range conditions {
			each.LastHeartbeatTime, each.LastTransitionTime = metav1.Now(), metav1.Now()
			object.Status.Conditions = append(slices.DeleteFunc(object.Status.Conditions, func(old corev1.NodeCondition) bool {
				return old.Type == each.Type
			}), each)
		}
		_, err = at.client.CoreV1().Nodes().UpdateStatus(ctx, object, metav1.UpdateOptions{})
		return err
	})
}
