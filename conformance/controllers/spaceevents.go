package controllers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func accountKinds() []kind {
	return []kind{
		{1, func(*sequence) *event { return deleteAccount() }},
		{1, func(*sequence) *event { return spoilAuthority() }},
	}
}

func deleteAccount() *event {
	return &event{what: "delete the account default", do: func(ctx context.Context, at *scene) error {
		return at.client.CoreV1().ServiceAccounts(at.namespace).Delete(ctx, "default", metav1.DeleteOptions{})
	}}
}

func spoilAuthority() *event {
	return &event{what: "write something else into kube-root-ca.crt", do: func(ctx context.Context, at *scene) error {
		_, err := at.client.CoreV1().ConfigMaps(at.namespace).Patch(ctx, "kube-root-ca.crt", types.MergePatchType,
			[]byte(`{"data":{"ca.crt":"nonsense","other":"more"}}`), metav1.PatchOptions{})
		return err
	}}
}

// enter makes the namespace, and two nodes whose kubelets are well.
func enter(ctx context.Context, at *scene) error {
	space := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: at.namespace}}
	if _, err := at.client.CoreV1().Namespaces().Create(ctx, space, metav1.CreateOptions{}); err != nil {
		return err
	}
	for _, suffix := range []string{"-a", "-b"} {
		if err := at.addNode(ctx, at.namespace+suffix); err != nil {
			return err
		}
	}
	return nil
}

func (at *scene) addNode(ctx context.Context, name string) error {
	now := metav1.NowMicro()
	lease := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: &name, LeaseDurationSeconds: ptr[int32](40), RenewTime: &now},
	}
	if _, err := at.client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Create(ctx, lease, metav1.CreateOptions{}); err != nil {
		return err
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := at.client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
		return err
	}
	var well []corev1.NodeCondition
	for _, each := range []corev1.NodeConditionType{corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodePIDPressure} {
		well = append(well, corev1.NodeCondition{Type: each, Status: corev1.ConditionFalse, Reason: "Well"})
	}
	return at.setNodeConditions(ctx, name, append(well, corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "Well"})...)
}

func deleteNamespace(ctx context.Context, at *scene) error {
	return at.client.CoreV1().Namespaces().Delete(ctx, at.namespace, metav1.DeleteOptions{})
}

// empty does what only others than controllers can do until the namespace is gone.
func empty(ctx context.Context, at *scene) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for ; ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
		if _, err := at.client.CoreV1().Namespaces().Get(ctx, at.namespace, metav1.GetOptions{}); apierrors.IsNotFound(err) {
			return nil
		}
		if err := at.letGoOfAll(ctx); err != nil {
			return err
		}
	}
	return errors.New("the namespace is not gone after two minutes")
}

func (at *scene) letGoOfAll(ctx context.Context) error {
	if err := letGo().do(ctx, at); err != nil {
		return err
	}
	maps, err := at.client.CoreV1().ConfigMaps(at.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, each := range maps.Items {
		if slices.Contains(each.Finalizers, hold) {
			if err := at.release(ctx, each.Name); err != nil {
				return err
			}
		}
	}
	return at.dropStrangers(ctx)
}

// dropStrangers takes reservations away that only a stranger could give up.
func (at *scene) dropStrangers(ctx context.Context) error {
	claims, err := at.client.ResourceV1().ResourceClaims(at.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range claims.Items {
		claim := &claims.Items[i]
		if len(claim.Status.ReservedFor) == 1 && claim.Status.ReservedFor[0].Resource == "things" {
			claim.Status.ReservedFor = nil
			_, err := at.client.ResourceV1().ResourceClaims(at.namespace).UpdateStatus(ctx, claim, metav1.UpdateOptions{})
			if err != nil && !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
				return err
			}
		}
	}
	return nil
}

// leave deletes what the sequence made outside of its namespace.
func leave(ctx context.Context, at *scene) error {
	for _, suffix := range []string{"-a", "-b"} {
		if err := at.client.CoreV1().Nodes().Delete(ctx, at.namespace+suffix, metav1.DeleteOptions{}); ignoreAbsent(err) != nil {
			return err
		}
		at.client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Delete(ctx, at.namespace+suffix, metav1.DeleteOptions{})
	}
	if err := at.client.ResourceV1().ResourceSlices().Delete(ctx, at.namespace, metav1.DeleteOptions{}); ignoreAbsent(err) != nil {
		return err
	}
	rules, err := at.client.ResourceV1().DeviceTaintRules().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, each := range rules.Items {
		if strings.HasPrefix(each.Name, at.namespace+"-") {
			if err := at.client.ResourceV1().DeviceTaintRules().Delete(ctx, each.Name, metav1.DeleteOptions{}); ignoreAbsent(err) != nil {
				return err
			}
		}
	}
	return nil
}

func nothingLeft(_ context.Context, at *scene) error {
	state, marks, err := at.look()
	if err == nil && marks != "" {
		err = fmt.Errorf("there is left:\n%s", state)
	}
	return err
}
