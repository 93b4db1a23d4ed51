package placing

import (
	"fmt"

	v1 "k8s.io/api/core/v1"

	"quadra/conformance/dice"
)

func (m *Maker) NeedFeatures(pod *v1.Pod) {
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

func (m *Maker) FillContainers(spec *v1.PodSpec) {
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
		spec.Overhead = v1.ResourceList{v1.ResourceCPU: m.Amount("250m", "1")}
	}
	if m.Chance(10) {
		spec.Resources = &v1.ResourceRequirements{Requests: v1.ResourceList{v1.ResourceMemory: m.Amount("1Gi", "9Gi")}}
		if m.Chance(50) {
			spec.Resources.Requests[v1.ResourceCPU] = m.Amount("1", "5")
		}
	}
}

func (m *Maker) container(name string) v1.Container {
	container := v1.Container{Name: name, Image: dice.Pick(m, "web", "db:1", "registry.example.com:5000/train", "huge", "other")}
	if m.Chance(60) {
		container.Resources.Requests = m.Requests()
	}
	if m.Chance(40) {
		container.Ports = []v1.ContainerPort{{ContainerPort: 80, HostPort: dice.Pick(m, int32(0), 80, 80, 80, 443),
			Protocol: dice.Pick(m, v1.ProtocolTCP, v1.ProtocolTCP, v1.ProtocolUDP), HostIP: dice.Pick(m, "", "", "10.0.0.1", "10.0.0.2", "0.0.0.0")}}
	}
	return container
}

func (m *Maker) Requests() v1.ResourceList {
	requests := v1.ResourceList{}
	if m.Chance(70) {
		requests[v1.ResourceCPU] = m.Amount("1", "2500m", "4", "100u")
	}
	if m.Chance(50) {
		requests[v1.ResourceMemory] = m.Amount("1Gi", "6G", "8Gi", "100m")
	}
	if m.Chance(10) {
		requests[v1.ResourceEphemeralStorage] = m.Amount("1Gi", "60Gi")
	}
	if m.Chance(8) {
		requests[Plugged] = m.Amount("0", "1", "2")
	}
	if m.Chance(4) {
		requests[hugePages] = m.Amount("32Mi", "64Mi")
	}
	return requests
}
