package placing

import (
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"quadra/conformance/dice"
)

func (m *Maker) requirement() v1.NodeSelectorRequirement {
	required := v1.NodeSelectorRequirement{Key: dice.Pick(m, Zone, "disk", "rank"),
		Operator: dice.Pick(m, v1.NodeSelectorOpIn, v1.NodeSelectorOpIn, v1.NodeSelectorOpNotIn, v1.NodeSelectorOpExists,
			v1.NodeSelectorOpDoesNotExist, v1.NodeSelectorOpGt, v1.NodeSelectorOpLt)}
	switch required.Operator {
	case v1.NodeSelectorOpIn, v1.NodeSelectorOpNotIn:
		required.Values = []string{dice.Pick(m, "a", "b", "ssd", "1", "x")}
	case v1.NodeSelectorOpGt, v1.NodeSelectorOpLt:
		required.Values = []string{dice.Pick(m, "0", "5")}
	}
	return required
}

func (m *Maker) nodeTerm() v1.NodeSelectorTerm {
	if m.Chance(15) {
		return v1.NodeSelectorTerm{MatchFields: []v1.NodeSelectorRequirement{
			{Key: "metadata.name", Operator: v1.NodeSelectorOpIn, Values: []string{dice.Pick(m, m.Nodes...)}}}}
	}
	term := v1.NodeSelectorTerm{MatchExpressions: []v1.NodeSelectorRequirement{m.requirement()}}
	if m.Chance(20) {
		term.MatchExpressions = append(term.MatchExpressions, m.requirement())
	}
	if m.Chance(4) {
		return v1.NodeSelectorTerm{} // matches nothing
	}
	return term
}

func (m *Maker) PodLabels() map[string]string {
	labels := map[string]string{}
	if m.Chance(90) {
		labels["app"] = dice.Pick(m, "web", "db")
	}
	if m.Chance(50) {
		labels["rev"] = dice.Pick(m, "1", "2")
	}
	return labels
}

// PodSelector is seldom absent, which selects nothing, or empty, which selects everything.
func (m *Maker) PodSelector() *metav1.LabelSelector {
	switch {
	case m.Chance(4):
		return nil
	case m.Chance(4):
		return &metav1.LabelSelector{}
	case m.Chance(70):
		return &metav1.LabelSelector{MatchLabels: map[string]string{"app": dice.Pick(m, "web", "db")}}
	}
	one := metav1.LabelSelectorRequirement{Key: dice.Pick(m, "app", "rev"), Operator: dice.Pick(m, metav1.LabelSelectorOpIn,
		metav1.LabelSelectorOpNotIn, metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist)}
	if one.Operator == metav1.LabelSelectorOpIn || one.Operator == metav1.LabelSelectorOpNotIn {
		one.Values = []string{dice.Pick(m, "web", "1"), "2"}
	}
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{one}}
}

func (m *Maker) namespaceSelector() *metav1.LabelSelector {
	switch {
	case m.Chance(75):
		return nil
	case m.Chance(25):
		return &metav1.LabelSelector{}
	}
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
		{Key: "team", Operator: dice.Pick(m, metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn), Values: []string{"a"}}}}
}

func (m *Maker) topologyKey() string { return dice.Pick(m, Zone, Zone, Hostname, Hostname, "disk") }

func (m *Maker) AddNodeAffinity(pod *v1.Pod) {
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

// AddPodAffinity gives the pod terms of each of the four sorts in percent of cases.
func (m *Maker) AddPodAffinity(pod *v1.Pod, percent int) {
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

func (m *Maker) affinityTerm() v1.PodAffinityTerm {
	term := v1.PodAffinityTerm{LabelSelector: m.PodSelector(), TopologyKey: m.topologyKey(), NamespaceSelector: m.namespaceSelector()}
	if m.Chance(20) {
		term.Namespaces = []string{dice.Pick(m, m.Namespaces...)}
	}
	return term
}

func (m *Maker) weightedTerm() v1.WeightedPodAffinityTerm {
	return v1.WeightedPodAffinityTerm{Weight: dice.Pick(m, int32(1), 7, 100), PodAffinityTerm: m.affinityTerm()}
}

func (m *Maker) Constraint() v1.TopologySpreadConstraint {
	constraint := v1.TopologySpreadConstraint{MaxSkew: dice.Pick(m, int32(1), 1, 1, 2, 3), TopologyKey: m.topologyKey(),
		WhenUnsatisfiable: dice.Pick(m, v1.DoNotSchedule, v1.DoNotSchedule, v1.ScheduleAnyway), LabelSelector: m.PodSelector()}
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

func (m *Maker) Toleration() v1.Toleration {
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
