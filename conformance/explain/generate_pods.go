package explain

import (
	"fmt"

	v1 "k8s.io/api/core/v1"

	"quadra/conformance/dice"
)

// addBound adds pods that are on nodes already, some of them finished.
func (m *maker) addBound() {
	for i := range m.IntN(5) {
		pod := &v1.Pod{TypeMeta: core("Pod"), ObjectMeta: named(fmt.Sprintf("bound-%d", i))}
		m.fillContainers(&pod.Spec)
		pod.Spec.NodeName = dice.Pick(m, m.nodes...)
		pod.Status.Phase = dice.Pick(m, v1.PodRunning, v1.PodRunning, v1.PodRunning, v1.PodPending, v1.PodSucceeded, v1.PodFailed)
		if m.Chance(10) {
			status := v1.ContainerStatus{Name: "main", AllocatedResources: m.requests()}
			if m.Chance(50) {
				status.Resources = &v1.ResourceRequirements{Requests: m.requests()}
			}
			pod.Status.ContainerStatuses = []v1.ContainerStatus{status}
		}
		if m.Chance(5) {
			pod.Status.Conditions = []v1.PodCondition{{Type: v1.PodResizePending, Status: v1.ConditionTrue,
				Reason: dice.Pick(m, v1.PodReasonInfeasible, v1.PodReasonDeferred)}}
		}
		m.add(pod)
	}
}

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
	container := v1.Container{Name: name, Image: "image"}
	if m.Chance(40) {
		container.Resources.Requests = m.requests()
	}
	if m.Chance(12) {
		container.Ports = []v1.ContainerPort{{ContainerPort: 80, HostPort: dice.Pick(m, int32(0), 80, 443),
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
	if m.Chance(6) {
		requests[plugged] = m.amount("0", "1", "2")
	}
	if m.Chance(4) {
		requests[hugePages] = m.amount("32Mi", "64Mi")
	}
	return requests
}
