package scheduler

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"quadra/conformance/dice"
	"quadra/conformance/placing"
)

// world is one cluster, and what happens in it. All that it makes has a name that begins as its own does.
type world struct {
	placing.Maker
	theme
	number int
	name   string
	setup  []*event // all before anybody looks
	events []*event

	pods      []*corev1.Pod
	classes   []string
	templates []string
	claims    []string
	late      []*resourcev1.ResourceClaim // pods name them, but they come later
	slices    []*resourcev1.ResourceSlice
	rules     []string
	bare      []string // nodes without devices
}

// theme says what a world is about.
type theme struct {
	crowded  bool // little room, and pods of different priority
	ports    bool // pods want the same ports of the same nodes
	mapped   bool // devices take cpu and memory from their node
	shared   bool // several claims may have the same device
	parts    bool // devices take from the same counters
	admin    bool // some ask for devices that others have
	extended bool // a class serves an extended resource
	binding  bool // devices have to be made ready before pods are bound
}

// event is something that users, kubelets and drivers do.
type event struct {
	what string // for people
	do   func(context.Context, *scene) error
}

// draw draws the world for a play of its own, whose names no other play has: the first is 0.
func draw(seed uint64, number, play int) *world {
	w := &world{number: number, name: fmt.Sprintf("w%d", number)}
	if play > 0 {
		w.name += fmt.Sprintf("p%d", play)
	}
	w.Dice = dice.Dice{Rand: rand.New(rand.NewPCG(seed, uint64(number)))}
	w.Namespaces = []string{w.name, w.name + "-other"}
	for _, chosen := range []*bool{&w.mapped, &w.shared, &w.parts, &w.admin, &w.extended} {
		*chosen = w.Chance(20)
	}
	w.binding = w.Chance(12)
	w.crowded, w.ports = w.Chance(30), w.Chance(12)
	w.addSpaces()
	w.addClasses()
	for i := range w.size() {
		w.addNode(fmt.Sprintf("%s-node-%d", w.name, i+1))
	}
	w.addSlices()
	w.addTemplates()
	w.addSharedClaims()
	w.addBudget()
	for i := range w.manyPods() {
		w.addPod(fmt.Sprintf("pod-%d", i+1))
		if w.binding {
			w.settleDevices()
		}
		if i > 0 && w.Chance(25) {
			w.addChange()
		}
	}
	for range 1 + w.IntN(2) {
		w.addChange()
	}
	return w
}

// size is how many nodes there are.
func (w *world) size() int {
	if w.crowded || w.ports {
		return 3
	}
	return 3 + w.IntN(6)
}

func (w *world) manyPods() int {
	if w.crowded {
		return dice.Pick(w, 3, 3, 4)
	}
	return dice.Pick(w, 1, 2, 3, 3, 4, 4, 5, 6)
}

// plain is a text as it is in the first play.
func (w *world) plain(text string) string {
	return strings.ReplaceAll(text, w.name, fmt.Sprintf("w%d", w.number))
}

// prepare adds what is there before anybody looks.
func (w *world) prepare(what string, do func(context.Context, *scene) error) {
	w.setup = append(w.setup, &event{what, do})
}

func (w *world) happen(what string, do func(context.Context, *scene) error) {
	w.events = append(w.events, &event{what, do})
}

func (w *world) addSpaces() {
	for i, name := range w.Namespaces {
		space := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			"team": []string{"a", "b"}[i], resourcev1.DRAAdminNamespaceLabelKey: "true"}}}
		account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default"}}
		w.prepare("namespace "+name, func(ctx context.Context, at *scene) error {
			if _, err := at.client.CoreV1().Namespaces().Create(ctx, space, metav1.CreateOptions{}); err != nil {
				return ignoreExisting(err)
			}
			_, err := at.client.CoreV1().ServiceAccounts(name).Create(ctx, account, metav1.CreateOptions{})
			return err
		})
	}
}

// addBudget protects some pods from preemption as far as possible: nobody counts for it, so that it allows nothing.
func (w *world) addBudget() {
	if !w.crowded || !w.Chance(30) {
		return
	}
	budget := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: "budget"}}
	budget.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	w.prepare("budget of app=web", func(ctx context.Context, at *scene) error {
		_, err := at.client.PolicyV1().PodDisruptionBudgets(w.name).Create(ctx, budget, metav1.CreateOptions{})
		return err
	})
}

// --- Nodes.

func (w *world) addNode(name string) {
	node := w.node(name)
	w.prepare(fmt.Sprintf("node %s, unschedulable: %v, taints: %v", name, node.Spec.Unschedulable, node.Spec.Taints), makeNode(node))
	w.prepare("ready "+name, makeReady(node))
}

func (w *world) node(name string) *corev1.Node {
	w.Nodes = append(w.Nodes, name)
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: w.NodeLabels(name)}}
	if !w.crowded || len(w.Nodes) > 1 {
		node.Spec.Unschedulable = w.Chance(8)
		node.Spec.Taints = w.Taints()
	}
	node.Status.Allocatable = w.Allocatable()
	if w.crowded {
		node.Status.Allocatable[corev1.ResourceCPU] = w.Amount("4", "4500m", "5")
		node.Status.Allocatable[corev1.ResourceMemory] = w.Amount("32Gi", "16Gi")
		node.Status.Allocatable[corev1.ResourcePods] = w.Amount("110", "110", "110", "2")
	}
	node.Status.Capacity = node.Status.Allocatable
	node.Status.Images = w.Images()
	node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady"}}
	if w.Chance(60) {
		node.Status.DeclaredFeatures = w.Declared()
	}
	return node
}

// makeNode makes one that the server taints: it is not ready.
func makeNode(node *corev1.Node) func(context.Context, *scene) error {
	return func(ctx context.Context, at *scene) error {
		_, err := at.client.CoreV1().Nodes().Create(ctx, node.DeepCopy(), metav1.CreateOptions{})
		return err
	}
}

// makeReady takes that taint away.
func makeReady(node *corev1.Node) func(context.Context, *scene) error {
	return func(ctx context.Context, at *scene) error {
		return at.changeNode(ctx, node.Name, func(made *corev1.Node) { made.Spec.Taints = node.Spec.Taints })
	}
}
