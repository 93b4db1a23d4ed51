package controllers

import (
	"context"
	"fmt"

	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"

	"quadra/conformance/dice"
)

func deviceKinds() []kind {
	return []kind{
		{4, (*sequence).publishPool},
		{4, (*sequence).wearDevice},
		{2, (*sequence).mendDevices},
		{3, (*sequence).createRule},
		{2, (*sequence).deleteRule},
	}
}

// publishPool makes the devices that claims may have.
func (s *sequence) publishPool() *event {
	if s.pool {
		return nil
	}
	s.pool = true
	return &event{what: "publish three devices", do: func(ctx context.Context, at *scene) error {
		slice := &resourcev1.ResourceSlice{
			ObjectMeta: metav1.ObjectMeta{Name: at.namespace},
			Spec: resourcev1.ResourceSliceSpec{
				Driver: driver, AllNodes: ptr(true),
				Pool: resourcev1.ResourcePool{Name: at.namespace, Generation: 1, ResourceSliceCount: 1},
			},
		}
		for i := range 3 {
			slice.Spec.Devices = append(slice.Spec.Devices, resourcev1.Device{Name: fmt.Sprintf("gpu-%d", i)})
		}
		_, err := at.client.ResourceV1().ResourceSlices().Create(ctx, slice, metav1.CreateOptions{})
		return err
	}}
}

func (s *sequence) wearDevice() *event {
	if !s.pool {
		return nil
	}
	at := s.IntN(3)
	taint := resourcev1.DeviceTaint{Key: "wear", Value: "out", Effect: dice.Pick(s, resourcev1.DeviceTaintEffectNoExecute, resourcev1.DeviceTaintEffectNoSchedule)}
	return changePool(fmt.Sprintf("taint gpu-%d %s", at, taint.Effect), func(devices []resourcev1.Device) {
		devices[at].Taints = []resourcev1.DeviceTaint{taint}
	})
}

func (s *sequence) mendDevices() *event {
	if !s.pool {
		return nil
	}
	return changePool("untaint all devices", func(devices []resourcev1.Device) {
		for i := range devices {
			devices[i].Taints = nil
		}
	})
}

func changePool(what string, change func([]resourcev1.Device)) *event {
	return &event{what: what, do: func(ctx context.Context, at *scene) error {
		return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
			slice, err := at.client.ResourceV1().ResourceSlices().Get(ctx, at.namespace, metav1.GetOptions{})
			if err != nil {
				return err
			}
			change(slice.Spec.Devices)
			_, err = at.client.ResourceV1().ResourceSlices().Update(ctx, slice, metav1.UpdateOptions{})
			return err
		})
	}}
}

// createRule taints a device, or the whole pool, from outside.
func (s *sequence) createRule() *event {
	name := s.namespace + "-" + s.name("rule")
	s.rules = append(s.rules, name)
	rule := &resourcev1.DeviceTaintRule{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: resourcev1.DeviceTaintRuleSpec{
			DeviceSelector: &resourcev1.DeviceTaintSelector{Driver: ptr(driver), Pool: &s.namespace},
			Taint:          resourcev1.DeviceTaint{Key: "wear", Value: "out", Effect: dice.Pick(s, resourcev1.DeviceTaintEffectNoExecute, resourcev1.DeviceTaintEffectNoSchedule)},
		},
	}
	if s.Chance(70) {
		rule.Spec.DeviceSelector.Device = ptr(fmt.Sprintf("gpu-%d", s.IntN(3)))
	}
	return &event{
		what: fmt.Sprintf("taint %q by %s, %s", deref(rule.Spec.DeviceSelector.Device, "all"), name, rule.Spec.Taint.Effect),
		do: func(ctx context.Context, at *scene) error {
			_, err := at.client.ResourceV1().DeviceTaintRules().Create(ctx, rule.DeepCopy(), metav1.CreateOptions{})
			return err
		},
	}
}

func (s *sequence) deleteRule() *event {
	name, ok := pick(s, s.rules)
	if !ok {
		return nil
	}
	return &event{what: "delete " + name, do: func(ctx context.Context, at *scene) error {
		return ignoreAbsent(at.client.ResourceV1().DeviceTaintRules().Delete(ctx, name, metav1.DeleteOptions{}))
	}}
}
