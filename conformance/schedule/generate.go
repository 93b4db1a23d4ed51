package schedule

import (
	"fmt"
	"math/rand/v2"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"quadra/conformance/dice"
	"quadra/conformance/placing"
)

// maker makes one world.
type maker struct {
	placing.Maker
	objects []any
}

var namespaces = []string{"default", "team-a", "team-b"}

// Draw makes the next question.
func Draw(random *rand.Rand) Question {
	m := &maker{Maker: placing.Maker{Dice: dice.Dice{Rand: random}, Namespaces: namespaces}}
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
	m.Nodes = append(m.Nodes, name)
	spec, status := map[string]any{}, map[string]any{"allocatable": m.Allocatable()}
	if m.Chance(4) {
		spec["unschedulable"] = true
	}
	if taints := m.Taints(); len(taints) > 0 {
		spec["taints"] = taints
	}
	if images := m.Images(); len(images) > 0 {
		status["images"] = images
	}
	if m.Chance(60) {
		status["declaredFeatures"] = m.Declared()
	}
	// Not of upstream's type, which writes much that is empty.
	m.add(map[string]any{"apiVersion": "v1", "kind": "Node", "spec": spec, "status": status,
		"metadata": map[string]any{"name": name, "labels": m.NodeLabels(name)}})
}

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
		Spec: v1.ReplicationControllerSpec{Selector: m.PodLabels()}})
	m.add(&appsv1.ReplicaSet{TypeMeta: apps("ReplicaSet"), ObjectMeta: meta, Spec: appsv1.ReplicaSetSpec{Selector: m.PodSelector()}})
	m.add(&appsv1.StatefulSet{TypeMeta: apps("StatefulSet"), ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{Selector: m.PodSelector()}})
}
