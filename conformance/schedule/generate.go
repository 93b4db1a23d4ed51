package schedule

import (
	"fmt"
	"math/rand/v2"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"quadra/conformance/dice"
)

// maker makes one world.
type maker struct {
	dice.Dice
	objects []any
	nodes   []string
}

const (
	plugged   = "example.com/gpu"
	hugePages = "hugepages-2Mi"
	zone      = v1.LabelTopologyZone
	hostname  = v1.LabelHostname
)

var namespaces = []string{"default", "team-a", "team-b"}

// Draw makes the next question.
func Draw(random *rand.Rand) Question {
	m := &maker{Dice: dice.Dice{Rand: random}}
	m.addNamespaces()
	for i := range 3 + m.IntN(6) {
		m.addNode(fmt.Sprintf("node-%d", i+1))
	}
	for i := range m.IntN(20) {
		m.addExisting(fmt.Sprintf("pod-%d", i))
	}
	m.addWorkloads()
	question := Question{Pod: m.asked(), Objects: m.objects, Strict: true}
	if m.Chance(25) {
		question.Config = m.config()
	}
	return question
}

func (m *maker) add(object any) { m.objects = append(m.objects, object) }

func pointer[T any](value T) *T { return &value }

func (m *maker) amount(choices ...string) resource.Quantity {
	return resource.MustParse(dice.Pick(m, choices...))
}

func (m *maker) addNamespaces() {
	for _, name := range namespaces {
		if m.Chance(90) {
			labels := map[string]string{"team": dice.Pick(m, "a", "b")}
			m.add(map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name, "labels": labels}})
		}
	}
}

// --- Nodes.

func (m *maker) addNode(name string) {
	m.nodes = append(m.nodes, name)
	spec, status := map[string]any{}, map[string]any{"allocatable": m.allocatable()}
	if m.Chance(4) {
		spec["unschedulable"] = true
	}
	if taints := m.taints(); len(taints) > 0 {
		spec["taints"] = taints
	}
	if images := m.images(); len(images) > 0 {
		status["images"] = images
	}
	if m.Chance(60) {
		status["declaredFeatures"] = m.declared()
	}
	// Not of upstream's type, which writes much that is empty.
	m.add(map[string]any{"apiVersion": "v1", "kind": "Node", "spec": spec, "status": status,
		"metadata": map[string]any{"name": name, "labels": m.nodeLabels(name)}})
}

func (m *maker) nodeLabels(name string) map[string]string {
	labels := map[string]string{}
	if m.Chance(96) {
		labels[hostname] = name
	}
	if m.Chance(92) {
		labels[zone] = dice.Pick(m, "a", "b", "c")
	}
	if m.Chance(60) {
		labels["disk"] = dice.Pick(m, "ssd", "hdd")
	}
	if m.Chance(40) {
		labels["rank"] = dice.Pick(m, "1", "7", "x")
	}
	return labels
}

func (m *maker) taints() []v1.Taint {
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

func (m *maker) allocatable() v1.ResourceList {
	has := v1.ResourceList{v1.ResourcePods: m.amount("110", "110", "110", "3"), v1.ResourceCPU: m.amount("16", "8", "4", "3500m"),
		v1.ResourceMemory: m.amount("32Gi", "16Gi", "16G", "8Gi"), v1.ResourceEphemeralStorage: m.amount("100Gi")}
	if m.Chance(30) {
		has[plugged] = m.amount("0", "1", "4", "8")
	}
	if m.Chance(10) {
		has[hugePages] = m.amount("0", "64Mi")
	}
	return has
}

// images are of the sizes around which ImageLocality decides.
func (m *maker) images() []v1.ContainerImage {
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

// declared are sorted, as the server wants them.
func (m *maker) declared() []string {
	features := []string{}
	for _, feature := range []string{"RestartAllContainersOnContainerExits", "UserNamespacesHostNetworkSupport", "VolumeBindMountOptions"} {
		if m.Chance(50) {
			features = append(features, feature)
		}
	}
	return features
}

// --- Selectors.

func (m *maker) requirement() v1.NodeSelectorRequirement {
	required := v1.NodeSelectorRequirement{Key: dice.Pick(m, zone, "disk", "rank"),
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

func (m *maker) nodeTerm() v1.NodeSelectorTerm {
	if m.Chance(15) {
		return v1.NodeSelectorTerm{MatchFields: []v1.NodeSelectorRequirement{
			{Key: "metadata.name", Operator: v1.NodeSelectorOpIn, Values: []string{dice.Pick(m, m.nodes...)}}}}
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

func (m *maker) podLabels() map[string]string {
	labels := map[string]string{}
	if m.Chance(90) {
		labels["app"] = dice.Pick(m, "web", "db")
	}
	if m.Chance(50) {
		labels["rev"] = dice.Pick(m, "1", "2")
	}
	return labels
}

// podSelector is seldom absent, which selects nothing, or empty, which selects everything.
func (m *maker) podSelector() *metav1.LabelSelector {
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

func (m *maker) namespaceSelector() *metav1.LabelSelector {
	switch {
	case m.Chance(75):
		return nil
	case m.Chance(25):
		return &metav1.LabelSelector{}
	}
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
		{Key: "team", Operator: dice.Pick(m, metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn), Values: []string{"a"}}}}
}

func (m *maker) topologyKey() string { return dice.Pick(m, zone, zone, hostname, hostname, "disk") }

// --- What selects pods from outside.

func (m *maker) addWorkloads() {
	for i := range m.IntN(3) {
		service := &v1.Service{TypeMeta: metav1.TypeMeta{Kind: "Service", APIVersion: "v1"},
			ObjectMeta: metav1.ObjectMeta{Namespace: dice.Pick(m, namespaces...), Name: fmt.Sprintf("service-%d", i)}}
		if m.Chance(85) {
			service.Spec.Selector = map[string]string{"app": dice.Pick(m, "web", "db")}
		}
		m.add(service)
	}
	for _, namespace := range namespaces {
		if m.Chance(60) {
			m.addOwners(metav1.ObjectMeta{Namespace: namespace, Name: "owner", UID: types.UID(namespace)})
		}
	}
}

func (m *maker) addOwners(meta metav1.ObjectMeta) {
	apps := func(kind string) metav1.TypeMeta { return metav1.TypeMeta{Kind: kind, APIVersion: "apps/v1"} }
	m.add(&v1.ReplicationController{TypeMeta: metav1.TypeMeta{Kind: "ReplicationController", APIVersion: "v1"}, ObjectMeta: meta,
		Spec: v1.ReplicationControllerSpec{Selector: m.podLabels()}})
	m.add(&appsv1.ReplicaSet{TypeMeta: apps("ReplicaSet"), ObjectMeta: meta, Spec: appsv1.ReplicaSetSpec{Selector: m.podSelector()}})
	m.add(&appsv1.StatefulSet{TypeMeta: apps("StatefulSet"), ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{Selector: m.podSelector()}})
}
