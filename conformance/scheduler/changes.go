package scheduler

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"

	"quadra/conformance/dice"
)

// changes are what may happen besides new pods; draw says whether it could.
var changes = []struct {
	weight int
	draw   func(*world) bool
}{
	{8, (*world).deletePod},
	{4, (*world).cordon},
	{3, (*world).changeTaints},
	{3, (*world).growNode},
	{2, (*world).joinNode},
	{3, (*world).publishLate},
	{3, (*world).wearDevice},
	{2, (*world).createRule},
	{2, (*world).deleteRule},
	{6, (*world).createLate},
	{1, (*world).deleteClaim},
	{6, (*world).openGate},
	{2, (*world).relabelPod},
}

func (w *world) addChange() {
	sum := 0
	for _, each := range changes {
		sum += each.weight
	}
	for {
		at := w.IntN(sum)
		for _, each := range changes {
			if at -= each.weight; at < 0 {
				if each.draw(w) {
					return
				}
				break
			}
		}
	}
}

func ignoreAbsent(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

func ignoreExisting(err error) error {
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// --- Pods.

func (w *world) deletePod() bool {
	pod := dice.Pick(w, w.pods...)
	w.happen("delete "+pod.Name, func(ctx context.Context, at *scene) error {
		return ignoreAbsent(at.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{}))
	})
	return true
}

// openGate takes the gates off the first pod that has some.
func (w *world) openGate() bool {
	at := slices.IndexFunc(w.pods, func(each *corev1.Pod) bool { return len(each.Spec.SchedulingGates) > 0 })
	if at < 0 {
		return false
	}
	w.changePod(w.pods[at], "open the gates of", func(pod *corev1.Pod) { pod.Spec.SchedulingGates = nil })
	return true
}

func (w *world) relabelPod() bool {
	app := dice.Pick(w, "web", "db")
	w.changePod(dice.Pick(w, w.pods...), "label app="+app, func(pod *corev1.Pod) {
		if pod.Labels == nil {
			pod.Labels = map[string]string{}
		}
		pod.Labels["app"] = app
	})
	return true
}

func (w *world) changePod(pod *corev1.Pod, what string, change func(*corev1.Pod)) {
	w.happen(what+" "+pod.Name, func(ctx context.Context, at *scene) error {
		pods := at.client.CoreV1().Pods(pod.Namespace)
		return ignoreAbsent(retry.RetryOnConflict(retry.DefaultBackoff, func() error {
			now, err := pods.Get(ctx, pod.Name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			change(now)
			_, err = pods.Update(ctx, now, metav1.UpdateOptions{})
			return err
		}))
	})
}

// --- Nodes.

func (w *world) cordon() bool {
	unschedulable := w.Chance(30)
	w.changeNode(fmt.Sprintf("make unschedulable %v:", unschedulable), func(node *corev1.Node) { node.Spec.Unschedulable = unschedulable })
	return true
}

func (w *world) changeTaints() bool {
	taints := w.Taints()
	w.changeNode(fmt.Sprintf("taint %v", taints), func(node *corev1.Node) { node.Spec.Taints = taints })
	return true
}

func (w *world) changeNode(what string, change func(*corev1.Node)) {
	name := dice.Pick(w, w.Nodes...)
	w.happen(what+" "+name, func(ctx context.Context, at *scene) error {
		return at.changeNode(ctx, name, change)
	})
}

// changeNode looks again where somebody else was quicker.
func (s *scene) changeNode(ctx context.Context, name string, change func(*corev1.Node)) error {
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		node, err := s.client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		change(node)
		_, err = s.client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
		return err
	})
}

func (w *world) growNode() bool {
	name, amount := dice.Pick(w, w.Nodes...), w.Amount("32", "64")
	w.happen("grow "+name, func(ctx context.Context, at *scene) error {
		return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
			node, err := at.client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			node.Status.Allocatable[corev1.ResourceCPU] = amount
			_, err = at.client.CoreV1().Nodes().UpdateStatus(ctx, node, metav1.UpdateOptions{})
			return err
		})
	})
	return true
}

// joinNode is for nodes that come later: pods that were drawn before do not know them.
func (w *world) joinNode() bool {
	name := fmt.Sprintf("%s-node-%d", w.name, len(w.Nodes)+1)
	node := w.node(name)
	w.bare = append(w.bare, name)
	w.happen("join "+name, makeNode(node))
	w.happen("ready "+name, makeReady(node))
	return true
}

// --- Devices.

func (w *world) publishLate() bool {
	if len(w.bare) == 0 {
		return false
	}
	node := w.bare[0]
	w.bare = w.bare[1:]
	w.publish(w.happen, node, func(spec *resourcev1.ResourceSliceSpec) { spec.NodeName = &node })
	return true
}

func (w *world) wearDevice() bool {
	if len(w.slices) == 0 {
		return false
	}
	slice := dice.Pick(w, w.slices...)
	device, taints := w.IntN(len(slice.Spec.Devices)), []resourcev1.DeviceTaint(nil)
	if w.Chance(50) {
		taints = []resourcev1.DeviceTaint{w.deviceTaint()}
	}
	w.happen(fmt.Sprintf("taint %s/dev-%d %v", slice.Name, device, taints), func(ctx context.Context, at *scene) error {
		slices := at.client.ResourceV1().ResourceSlices()
		return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
			now, err := slices.Get(ctx, slice.Name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			now.Spec.Devices[device].Taints = taints
			_, err = slices.Update(ctx, now, metav1.UpdateOptions{})
			return err
		})
	})
	return true
}

// createRule taints a device, or a whole pool, from outside.
func (w *world) createRule() bool {
	if len(w.slices) == 0 {
		return false
	}
	slice := dice.Pick(w, w.slices...)
	rule := &resourcev1.DeviceTaintRule{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-rule-%d", w.name, len(w.rules)+1)}}
	rule.Spec.DeviceSelector = &resourcev1.DeviceTaintSelector{Driver: pointer(w.driver()), Pool: pointer(slice.Spec.Pool.Name)}
	if w.Chance(50) {
		rule.Spec.DeviceSelector.Device = pointer(dice.Pick(w, slice.Spec.Devices...).Name)
	}
	rule.Spec.Taint = w.deviceTaint()
	w.rules = append(w.rules, rule.Name)
	w.happen("rule "+tell(rule.Spec), func(ctx context.Context, at *scene) error {
		_, err := at.client.ResourceV1().DeviceTaintRules().Create(ctx, rule.DeepCopy(), metav1.CreateOptions{})
		return err
	})
	return true
}

func (w *world) deleteRule() bool {
	if len(w.rules) == 0 {
		return false
	}
	name := w.rules[0]
	w.rules = w.rules[1:]
	w.happen("delete "+name, func(ctx context.Context, at *scene) error {
		return ignoreAbsent(at.client.ResourceV1().DeviceTaintRules().Delete(ctx, name, metav1.DeleteOptions{}))
	})
	return true
}

// --- Claims.

func (w *world) createLate() bool {
	if len(w.late) == 0 {
		return false
	}
	w.happen("claim "+tell(w.late[0]), w.makeClaim(w.late[0]))
	w.late = w.late[1:]
	return true
}

func (w *world) deleteClaim() bool {
	if len(w.claims) == 0 {
		return false
	}
	name := dice.Pick(w, w.claims...)
	w.happen("delete claim "+name, func(ctx context.Context, at *scene) error {
		return ignoreAbsent(at.client.ResourceV1().ResourceClaims(w.name).Delete(ctx, name, metav1.DeleteOptions{}))
	})
	return true
}

// settleDevices is what drivers do: they tell of all devices that are waited for whether they are ready.
func (w *world) settleDevices() {
	kind := dice.Pick(w, ready, ready, ready, broken)
	w.happen("devices are "+kind, func(ctx context.Context, at *scene) error {
		claims, err := at.client.ResourceV1().ResourceClaims(w.name).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for i := range claims.Items {
			if claim := &claims.Items[i]; answerFor(claim, kind) {
				if _, err := at.client.ResourceV1().ResourceClaims(w.name).UpdateStatus(ctx, claim, metav1.UpdateOptions{}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// answerFor tells whether anybody waits for devices of the claim that nothing was told of.
func answerFor(claim *resourcev1.ResourceClaim, kind string) bool {
	if claim.Status.Allocation == nil || len(claim.Status.Devices) > 0 {
		return false
	}
	for _, each := range claim.Status.Allocation.Devices.Results {
		if len(each.BindingConditions) > 0 {
			claim.Status.Devices = append(claim.Status.Devices, resourcev1.AllocatedDeviceStatus{Driver: each.Driver, Pool: each.Pool, Device: each.Device,
				ShareID: (*string)(each.ShareID), Conditions: []metav1.Condition{{Type: kind, Status: metav1.ConditionTrue, Reason: "Told", LastTransitionTime: metav1.Now()}}})
		}
	}
	return len(claim.Status.Devices) > 0
}
