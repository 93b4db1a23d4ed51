package schedule

import (
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"quadra/conformance/dice"
)

func (m *maker) pod(name string) *v1.Pod {
	pod := &v1.Pod{TypeMeta: metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"},
		ObjectMeta: metav1.ObjectMeta{Namespace: dice.Pick(m, "default", "default", "default", "team-a", "team-b"), Name: name, UID: types.UID(name)}}
	pod.Labels = m.podLabels()
	if m.Chance(40) {
		pod.OwnerReferences = []metav1.OwnerReference{m.owner(pod.Namespace)}
	}
	if m.Chance(20) {
		pod.Spec.Priority = pointer(int32(m.IntN(3)))
	}
	m.fillContainers(&pod.Spec)
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
		pod.Status.NominatedNodeName, pod.Status.Phase = dice.Pick(m, m.nodes...), v1.PodPending
	} else {
		pod.Spec.NodeName = dice.Pick(m, m.nodes...)
	}
	if m.Chance(6) {
		pod.DeletionTimestamp = &metav1.Time{Time: time.Unix(1_800_000_000, 0).UTC()}
	}
	if m.Chance(30) {
		m.addPodAffinity(pod, 30)
	}
	m.addStatus(pod)
	m.add(pod)
}

// addStatus says what a resize has come to.
func (m *maker) addStatus(pod *v1.Pod) {
	if m.Chance(8) {
		status := v1.ContainerStatus{Name: "main", AllocatedResources: m.requests()}
		if m.Chance(50) {
			status.Resources = &v1.ResourceRequirements{Requests: m.requests()}
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
		pod.Spec.NodeSelector = map[string]string{dice.Pick(m, zone, "disk"): dice.Pick(m, "a", "b", "ssd")}
	}
	if m.Chance(45) {
		m.addNodeAffinity(pod)
	}
	if m.Chance(45) {
		m.addPodAffinity(pod, 40)
	}
	for range m.IntN(7) / 3 {
		pod.Spec.TopologySpreadConstraints = append(pod.Spec.TopologySpreadConstraints, m.constraint())
	}
	for range m.IntN(4) / 2 {
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, m.toleration())
	}
	if m.Chance(9) {
		pod.Spec.NodeName = dice.Pick(m, m.nodes...)
	}
	if m.Chance(14) {
		m.needFeatures(pod)
	}
	return pod
}

func (m *maker) needFeatures(pod *v1.Pod) {
	switch m.IntN(3) {
	case 0:
		pod.Spec.HostNetwork, pod.Spec.HostUsers = true, pointer(false)
	case 1:
		always := v1.ContainerRestartPolicyNever
		pod.Spec.Containers[0].RestartPolicy = &always
		pod.Spec.Containers[0].RestartPolicyRules = []v1.ContainerRestartRule{{Action: v1.ContainerRestartRuleActionRestartAllContainers,
			ExitCodes: &v1.ContainerRestartRuleOnExitCodes{Operator: v1.ContainerRestartRuleOnExitCodesOpIn, Values: []int32{1}}}}
	}
}

// --- Containers.

func (m *maker) fillContainers(spec *v1.PodSpec) {
	spec.Containers = []v1.Container{m.container("main")}
	if m.Chance(15) {
		spec.Containers = append(spec.Containers, m.container("second"))
	}
	for i := range m.IntN(8) / 5 {
		container := m.container(fmt.Sprintf("init-%d", i))
		if m.Chance(50) {
			container.RestartPolicy = pointer(v1.ContainerRestartPolicyAlways)
		}
		spec.InitContainers = append(spec.InitContainers, container)
	}
	if m.Chance(10) {
		spec.Overhead = v1.ResourceList{v1.ResourceCPU: m.amount("250m", "1")}
	}
	if m.Chance(10) {
		spec.Resources = &v1.ResourceRequirements{Requests: v1.ResourceList{v1.ResourceMemory: m.amount("1Gi", "9Gi")}}
		if m.Chance(50) {
			spec.Resources.Requests[v1.ResourceCPU] = m.amount("1", "5")
		}
	}
}

func (m *maker) container(name string) v1.Container {
	container := v1.Container{Name: name, Image: dice.Pick(m, "web", "db:1", "registry.example.com:5000/train", "huge", "other")}
	if m.Chance(60) {
		container.Resources.Requests = m.requests()
	}
	if m.Chance(40) {
		container.Ports = []v1.ContainerPort{{ContainerPort: 80, HostPort: dice.Pick(m, int32(0), 80, 80, 80, 443),
			Protocol: dice.Pick(m, v1.ProtocolTCP, v1.ProtocolTCP, v1.ProtocolUDP), HostIP: dice.Pick(m, "", "", "10.0.0.1", "10.0.0.2", "0.0.0.0")}}
	}
	return container
}

func (m *maker) requests() v1.ResourceList {
	requests := v1.ResourceList{}
	if m.Chance(70) {
		requests[v1.ResourceCPU] = m.amount("1", "2500m", "4", "100u")
	}
	if m.Chance(50) {
		requests[v1.ResourceMemory] = m.amount("1Gi", "6G", "8Gi", "100m")
	}
	if m.Chance(10) {
		requests[v1.ResourceEphemeralStorage] = m.amount("1Gi", "60Gi")
	}
	if m.Chance(8) {
		requests[plugged] = m.amount("0", "1", "2")
	}
	if m.Chance(4) {
		requests[hugePages] = m.amount("32Mi", "64Mi")
	}
	return requests
}

// --- Affinity.

func (m *maker) addNodeAffinity(pod *v1.Pod) {
	affinity := &v1.NodeAffinity{}
	if m.Chance(35) {
		required := &v1.NodeSelector{}
		for range 1 + m.IntN(2) {
			required.NodeSelectorTerms = append(required.NodeSelectorTerms, m.nodeTerm())
		}
		affinity.RequiredDuringSchedulingIgnoredDuringExecution = required
	}
	for range 1 + m.IntN(3) {
		affinity.PreferredDuringSchedulingIgnoredDuringExecution = append(affinity.PreferredDuringSchedulingIgnoredDuringExecution,
			v1.PreferredSchedulingTerm{Weight: dice.Pick(m, int32(1), 20, 100), Preference: m.nodeTerm()})
	}
	pod.Spec.Affinity = &v1.Affinity{NodeAffinity: affinity}
}

// addPodAffinity gives the pod terms of each of the four sorts in percent of cases.
func (m *maker) addPodAffinity(pod *v1.Pod, percent int) {
	near, away := &v1.PodAffinity{}, &v1.PodAntiAffinity{}
	for range m.IntN(3) {
		if m.Chance(percent) {
			near.RequiredDuringSchedulingIgnoredDuringExecution = append(near.RequiredDuringSchedulingIgnoredDuringExecution, m.affinityTerm())
		}
		if m.Chance(percent) {
			away.RequiredDuringSchedulingIgnoredDuringExecution = append(away.RequiredDuringSchedulingIgnoredDuringExecution, m.affinityTerm())
		}
		if m.Chance(percent) {
			near.PreferredDuringSchedulingIgnoredDuringExecution = append(near.PreferredDuringSchedulingIgnoredDuringExecution, m.weightedTerm())
		}
		if m.Chance(percent) {
			away.PreferredDuringSchedulingIgnoredDuringExecution = append(away.PreferredDuringSchedulingIgnoredDuringExecution, m.weightedTerm())
		}
	}
	if pod.Spec.Affinity == nil {
		pod.Spec.Affinity = &v1.Affinity{}
	}
	pod.Spec.Affinity.PodAffinity, pod.Spec.Affinity.PodAntiAffinity = near, away
}

func (m *maker) affinityTerm() v1.PodAffinityTerm {
	term := v1.PodAffinityTerm{LabelSelector: m.podSelector(), TopologyKey: m.topologyKey(), NamespaceSelector: m.namespaceSelector()}
	if m.Chance(20) {
		term.Namespaces = []string{dice.Pick(m, namespaces...)}
	}
	return term
}

func (m *maker) weightedTerm() v1.WeightedPodAffinityTerm {
	return v1.WeightedPodAffinityTerm{Weight: dice.Pick(m, int32(1), 7, 100), PodAffinityTerm: m.affinityTerm()}
}

func (m *maker) constraint() v1.TopologySpreadConstraint {
	constraint := v1.TopologySpreadConstraint{MaxSkew: dice.Pick(m, int32(1), 1, 1, 2, 3), TopologyKey: m.topologyKey(),
		WhenUnsatisfiable: dice.Pick(m, v1.DoNotSchedule, v1.DoNotSchedule, v1.ScheduleAnyway), LabelSelector: m.podSelector()}
	if m.Chance(20) && constraint.WhenUnsatisfiable == v1.DoNotSchedule {
		constraint.MinDomains = pointer(int32(1 + m.IntN(4)))
	}
	if m.Chance(25) {
		constraint.NodeAffinityPolicy = pointer(dice.Pick(m, v1.NodeInclusionPolicyHonor, v1.NodeInclusionPolicyIgnore))
	}
	if m.Chance(25) {
		constraint.NodeTaintsPolicy = pointer(dice.Pick(m, v1.NodeInclusionPolicyHonor, v1.NodeInclusionPolicyIgnore))
	}
	if m.Chance(15) {
		constraint.MatchLabelKeys = []string{"rev"}
	}
	return constraint
}

func (m *maker) toleration() v1.Toleration {
	toleration := v1.Toleration{Key: dice.Pick(m, "team", "gpu", "team", v1.TaintNodeUnschedulable),
		Operator: dice.Pick(m, v1.TolerationOpExists, v1.TolerationOpEqual, ""),
		Effect:   dice.Pick(m, "", v1.TaintEffectNoSchedule, v1.TaintEffectNoExecute, v1.TaintEffectPreferNoSchedule)}
	if toleration.Operator != v1.TolerationOpExists {
		toleration.Value = dice.Pick(m, "", "a")
	} else if m.Chance(10) {
		toleration.Key = ""
	}
	return toleration
}
