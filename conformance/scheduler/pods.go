package scheduler

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"quadra/conformance/dice"
)

// classes of priority; each run makes them once.
var priorities = []struct {
	name  string
	value int32
	never bool // preempts nobody
}{{"low", 10, false}, {"high", 1000, false}, {"patient", 500, true}}

func (w *world) addPod(name string) {
	pod := w.pod(name)
	w.pods = append(w.pods, pod)
	w.happen("create "+tell(pod), func(ctx context.Context, at *scene) error {
		_, err := at.client.CoreV1().Pods(pod.Namespace).Create(ctx, pod.DeepCopy(), metav1.CreateOptions{})
		return err
	})
}

// tell is what an event says of an object.
func tell(object any) string {
	text, _ := json.Marshal(object)
	return string(text)
}

func (w *world) pod(name string) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: w.name, Name: name, Labels: w.PodLabels()}}
	if w.Chance(8) {
		pod.Namespace += "-other"
	}
	pod.Spec.AutomountServiceAccountToken, pod.Spec.TerminationGracePeriodSeconds = pointer(false), pointer(int64(0))
	pod.Spec.PriorityClassName = w.priority()
	w.addContainers(pod)
	if pod.Namespace == w.name && !w.crowded || w.Chance(20) {
		w.addClaims(pod)
	}
	if !w.crowded || w.Chance(25) {
		w.addWishes(pod)
	}
	w.choosePlace(pod)
	return pod
}

// priority rises in crowded worlds, so that pods come for which others go.
func (w *world) priority() string {
	switch {
	case w.crowded && len(w.pods) > 0:
		return dice.Pick(w, "", "low", "high", "high", "high", "high", "high", "patient")
	case w.crowded:
		return dice.Pick(w, "", "low")
	case w.Chance(70):
		return ""
	}
	return dice.Pick(w, "low", "low", "high", "patient")
}

func (w *world) addContainers(pod *corev1.Pod) {
	w.FillContainers(&pod.Spec)
	if w.crowded {
		pod.Spec.Containers, pod.Spec.InitContainers, pod.Spec.Resources = pod.Spec.Containers[:1], nil, nil
		pod.Spec.Containers[0].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: w.Amount("1500m", "2500m", "3500m")}
	} else if w.Chance(50) {
		pod.Spec.Resources = nil
		eachContainer(&pod.Spec, func(each *corev1.Container) { each.Resources.Requests = nil })
	}
	if w.ports && w.Chance(70) {
		pod.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80, HostIP: dice.Pick(w, "", "", "10.0.0.1", "10.0.0.2")}}
	}
	pod.Spec.Overhead = nil // that of a runtime class alone counts
	if w.extended && w.Chance(40) {
		amount := resource.MustParse(dice.Pick(w, "1", "1", "2"))
		container := &pod.Spec.Containers[len(pod.Spec.Containers)-1]
		if container.Resources.Requests == nil {
			container.Resources.Requests = corev1.ResourceList{}
		}
		name := dice.Pick(w, w.extendedResource(), w.extendedResource(), "deviceclass.resource.kubernetes.io/"+w.classes[1])
		container.Resources.Requests[corev1.ResourceName(name)] = amount
	}
	eachContainer(&pod.Spec, makeValid)
	if pod.Spec.Resources != nil {
		coverContainers(&pod.Spec)
	}
}

func eachContainer(spec *corev1.PodSpec, do func(*corev1.Container)) {
	for _, list := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			do(&list[i])
		}
	}
}

// makeValid has limits where the server wants them: of what cannot be given twice.
func makeValid(container *corev1.Container) {
	container.TerminationMessagePolicy = corev1.TerminationMessageReadFile
	for name, amount := range container.Resources.Requests {
		if slices.Contains([]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage}, name) {
			continue
		}
		if container.Resources.Limits == nil {
			container.Resources.Limits = corev1.ResourceList{}
		}
		container.Resources.Limits[name] = amount
	}
}

// coverContainers has the pod as a whole ask for no less than its containers.
func coverContainers(spec *corev1.PodSpec) {
	for name, amount := range spec.Resources.Requests {
		sum := resource.Quantity{}
		eachContainer(spec, func(each *corev1.Container) { sum.Add(each.Resources.Requests[name]) })
		if sum.Cmp(amount) > 0 {
			spec.Resources.Requests[name] = sum
		}
	}
}

// --- Claims.

func (w *world) addClaims(pod *corev1.Pod) {
	for i := range dice.Pick(w, 0, 1, 1, 1, 1, 2, 3) {
		entry := corev1.PodResourceClaim{Name: fmt.Sprintf("c%d", i)}
		switch {
		case len(w.claims) > 0 && w.Chance(50):
			entry.ResourceClaimName = pointer(dice.Pick(w, w.claims...))
		case w.Chance(2):
			entry.ResourceClaimName = pointer("missing")
		default:
			entry.ResourceClaimTemplateName = pointer(dice.Pick(w, w.templates...))
		}
		if namesTwice(pod, entry) {
			continue // as docs/deviations.md says
		}
		pod.Spec.ResourceClaims = append(pod.Spec.ResourceClaims, entry)
		container := &pod.Spec.Containers[w.IntN(len(pod.Spec.Containers))]
		container.Resources.Claims = append(container.Resources.Claims, corev1.ResourceClaim{Name: entry.Name})
	}
}

func namesTwice(pod *corev1.Pod, entry corev1.PodResourceClaim) bool {
	return entry.ResourceClaimName != nil && slices.ContainsFunc(pod.Spec.ResourceClaims, func(each corev1.PodResourceClaim) bool {
		return each.ResourceClaimName != nil && *each.ResourceClaimName == *entry.ResourceClaimName
	})
}

// --- Where it may go.

// addWishes adds what pods ask of nodes and of each other.
func (w *world) addWishes(pod *corev1.Pod) {
	if w.Chance(6) {
		pod.Spec.NodeSelector = map[string]string{"disk": dice.Pick(w, "ssd", "hdd")}
	}
	if w.Chance(15) {
		w.AddNodeAffinity(pod)
	}
	if w.Chance(20) {
		w.AddPodAffinity(pod, 40)
		dropInvalidTerms(pod.Spec.Affinity)
	}
	for range w.IntN(6) / 3 {
		addConstraint(&pod.Spec, w.Constraint())
	}
	for range w.IntN(4) / 2 {
		if toleration := w.Toleration(); toleration.Key != "" || toleration.Operator == corev1.TolerationOpExists {
			pod.Spec.Tolerations = append(pod.Spec.Tolerations, toleration)
		}
	}
	if w.Chance(6) {
		pod.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "example.com/wait"}}
	}
	if w.Chance(42) {
		w.NeedFeatures(pod)
		if pod.Spec.HostNetwork {
			pod.Spec.HostUsers = nil
			eachContainer(&pod.Spec, sharePorts)
		}
	}
}

// sharePorts has ports of the host's network be called what they are.
func sharePorts(container *corev1.Container) {
	for i := range container.Ports {
		container.Ports[i].HostPort = container.Ports[i].ContainerPort
	}
}

// dropInvalidTerms leaves those that the server takes: selectors that say what they want.
func dropInvalidTerms(affinity *corev1.Affinity) {
	if affinity.PodAffinity != nil && empty(affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution, affinity.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution) {
		affinity.PodAffinity = nil
	}
	if affinity.PodAntiAffinity != nil && empty(affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution, affinity.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution) {
		affinity.PodAntiAffinity = nil
	}
}

func empty(required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm) bool {
	return len(required)+len(preferred) == 0
}

// addConstraint adds it unless there is one for the same key and action.
func addConstraint(spec *corev1.PodSpec, constraint corev1.TopologySpreadConstraint) {
	if constraint.LabelSelector == nil {
		constraint.MatchLabelKeys = nil
	}
	same := func(each corev1.TopologySpreadConstraint) bool {
		return each.TopologyKey == constraint.TopologyKey && each.WhenUnsatisfiable == constraint.WhenUnsatisfiable
	}
	if !slices.ContainsFunc(spec.TopologySpreadConstraints, same) {
		spec.TopologySpreadConstraints = append(spec.TopologySpreadConstraints, constraint)
	}
}

// choosePlace pins the pod to a node by its name, or has it like every node differently, so that scores seldom tie.
func (w *world) choosePlace(pod *corev1.Pod) {
	if w.Chance(5) {
		return
	}
	if pod.Spec.Affinity == nil {
		pod.Spec.Affinity = &corev1.Affinity{}
	}
	if pod.Spec.Affinity.NodeAffinity == nil {
		pod.Spec.Affinity.NodeAffinity = &corev1.NodeAffinity{}
	}
	affinity := pod.Spec.Affinity.NodeAffinity
	if w.Chance(40) || (w.crowded || w.ports) && w.Chance(80) {
		affinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{w.named(w.favourite(pod))}}
		return
	}
	affinity.PreferredDuringSchedulingIgnoredDuringExecution = nil
	for at, weight := range w.Perm(len(w.Nodes)) {
		affinity.PreferredDuringSchedulingIgnoredDuringExecution = append(affinity.PreferredDuringSchedulingIgnoredDuringExecution,
			corev1.PreferredSchedulingTerm{Weight: int32(1 + 12*weight), Preference: w.named(w.Nodes[at])})
	}
}

// favourite is mostly the same node in crowded worlds, and one with devices for pods with claims.
func (w *world) favourite(pod *corev1.Pod) string {
	if (w.crowded || w.ports) && w.Chance(90) {
		return w.Nodes[0]
	}
	if rich := w.slices; len(rich) > 0 && rich[0].Spec.NodeName != nil && len(pod.Spec.ResourceClaims) > 0 && w.Chance(70) {
		return *rich[0].Spec.NodeName
	}
	return dice.Pick(w, w.Nodes...)
}

func (w *world) named(node string) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{node}}}}
}
