package schedule

import (
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"quadra/conformance/dice"
	"quadra/conformance/placing"
)

func (m *maker) pod(name string) *v1.Pod {
	pod := &v1.Pod{TypeMeta: metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"},
		ObjectMeta: metav1.ObjectMeta{Namespace: dice.Pick(m, "default", "default", "default", "team-a", "team-b"), Name: name, UID: types.UID(name)}}
	pod.Labels = m.PodLabels()
	if m.Chance(40) {
		pod.OwnerReferences = []metav1.OwnerReference{m.owner(pod.Namespace)}
	}
	if m.Chance(20) {
		pod.Spec.Priority = pointer(int32(m.IntN(3)))
	}
	m.FillContainers(&pod.Spec)
	return pod
}

func (m *maker) owner(namespace string) metav1.OwnerReference {
	owner := metav1.OwnerReference{APIVersion: "apps/v1", Kind: dice.Pick(m, "ReplicaSet", "StatefulSet", "DaemonSet"), Name: "owner",
		UID: types.UID(namespace)}
	if m.Chance(30) {
		owner.APIVersion, owner.Kind = "v1", "ReplicationController"
	}
	if m.Chance(90) {
		owner.Controller = pointer(true)
	}
	return owner
}

// addExisting adds a pod on a node, or one that is promised a node; some have finished, some are going.
func (m *maker) addExisting(name string) {
	pod := m.pod(name)
	pod.Status.Phase = dice.Pick(m, v1.PodRunning, v1.PodRunning, v1.PodRunning, v1.PodRunning, v1.PodPending, v1.PodSucceeded, v1.PodFailed)
	if m.Chance(6) {
		pod.Status.NominatedNodeName, pod.Status.Phase = dice.Pick(m, m.Nodes...), v1.PodPending
	} else {
		pod.Spec.NodeName = dice.Pick(m, m.Nodes...)
	}
	if m.Chance(6) {
		pod.DeletionTimestamp = &metav1.Time{Time: time.Unix(1_800_000_000, 0).UTC()}
	}
	if m.Chance(30) {
		m.AddPodAffinity(pod, 30)
	}
	m.addStatus(pod)
	m.add(pod)
}

// addStatus says what a resize has come to.
func (m *maker) addStatus(pod *v1.Pod) {
	if m.Chance(8) {
		status := v1.ContainerStatus{Name: "main", AllocatedResources: m.Requests()}
		if m.Chance(50) {
			status.Resources = &v1.ResourceRequirements{Requests: m.Requests()}
		}
		pod.Status.ContainerStatuses = []v1.ContainerStatus{status}
	}
	if m.Chance(4) {
		pod.Status.Conditions = []v1.PodCondition{{Type: v1.PodResizePending, Status: v1.ConditionTrue,
			Reason: dice.Pick(m, v1.PodReasonInfeasible, v1.PodReasonDeferred)}}
	}
}

// asked is the pod that is asked about.
func (m *maker) asked() *v1.Pod {
	pod := m.pod("asked")
	if m.Chance(12) {
		pod.Spec.NodeSelector = map[string]string{dice.Pick(m, placing.Zone, "disk"): dice.Pick(m, "a", "b", "ssd")}
	}
	if m.Chance(45) {
		m.AddNodeAffinity(pod)
	}
	if m.Chance(45) {
		m.AddPodAffinity(pod, 40)
	}
	for range m.IntN(7) / 3 {
		pod.Spec.TopologySpreadConstraints = append(pod.Spec.TopologySpreadConstraints, m.Constraint())
	}
	for range m.IntN(4) / 2 {
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, m.Toleration())
	}
	if m.Chance(9) {
		pod.Spec.NodeName = dice.Pick(m, m.Nodes...)
	}
	if m.Chance(14) {
		m.NeedFeatures(pod)
	}
	return pod
}
