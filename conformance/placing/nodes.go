package placing

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"quadra/conformance/dice"
)

func (m *Maker) Amount(choices ...string) resource.Quantity {
	return resource.MustParse(dice.Pick(m, choices...))
}

func (m *Maker) NodeLabels(name string) map[string]string {
	labels := map[string]string{}
	if m.Chance(96) {
		labels[Hostname] = name
	}
	if m.Chance(92) {
		labels[Zone] = dice.Pick(m, "a", "b", "c")
	}
	if m.Chance(60) {
		labels["disk"] = dice.Pick(m, "ssd", "hdd")
	}
	if m.Chance(40) {
		labels["rank"] = dice.Pick(m, "1", "7", "x")
	}
	return labels
}

func (m *Maker) Taints() []v1.Taint {
	taints := []v1.Taint{}
	for range m.IntN(8) / 6 {
		taint := v1.Taint{Key: dice.Pick(m, "team", "gpu"), Value: dice.Pick(m, "", "a", "5"),
			Effect: dice.Pick(m, v1.TaintEffectNoSchedule, v1.TaintEffectNoExecute, v1.TaintEffectPreferNoSchedule, v1.TaintEffectPreferNoSchedule)}
		if m.Chance(8) {
			taint = v1.Taint{Key: v1.TaintNodeUnschedulable, Effect: v1.TaintEffectNoSchedule}
		}
		taints = append(taints, taint)
	}
	return taints
}

func (m *Maker) Allocatable() v1.ResourceList {
	has := v1.ResourceList{v1.ResourcePods: m.Amount("110", "110", "110", "3"), v1.ResourceCPU: m.Amount("16", "8", "4", "3500m"),
		v1.ResourceMemory: m.Amount("32Gi", "16Gi", "16G", "8Gi"), v1.ResourceEphemeralStorage: m.Amount("100Gi")}
	if m.Chance(30) {
		has[Plugged] = m.Amount("0", "1", "4", "8")
	}
	if m.Chance(10) {
		has[hugePages] = m.Amount("0", "64Mi")
	}
	return has
}

// Images are of the sizes around which ImageLocality decides.
func (m *Maker) Images() []v1.ContainerImage {
	images := []v1.ContainerImage{}
	for _, name := range []string{"web", "db:1", "registry.example.com:5000/train", "huge:latest"} {
		if !m.Chance(35) {
			continue
		}
		names := []string{name}
		if m.Chance(60) {
			names = []string{name + ":latest", name + "@sha256:0123"}
		}
		images = append(images, v1.ContainerImage{Names: names, SizeBytes: dice.Pick(m, int64(0), 10<<20, 30<<20, 400<<20, 1200<<20, 4000<<20)})
	}
	return images
}

// Declared are sorted, as the server wants them.
func (m *Maker) Declared() []string {
	features := []string{}
	for _, feature := range []string{"RestartAllContainersOnContainerExits", "UserNamespacesHostNetworkSupport", "VolumeBindMountOptions"} {
		if m.Chance(50) {
			features = append(features, feature)
		}
	}
	return features
}
