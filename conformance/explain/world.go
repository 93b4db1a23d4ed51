// Package explain asks upstream's scheduler plugins, node by node, what `quadra explain` is asked: may the pod run there, and does
// it get its devices?
//
// Not safe for concurrent use.
package explain

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Question is one line: the objects of a cluster, and the pod, of namespace default, that is asked about.
type Question struct {
	Pod     string `json:"pod"`
	Objects []any  `json:"objects"`
}

// World is a question as upstream's types.
type World struct {
	Pod       *v1.Pod
	Nodes     []*v1.Node
	Pods      []*v1.Pod
	Slices    []*resourceapi.ResourceSlice
	Classes   []*resourceapi.DeviceClass
	Claims    []*resourceapi.ResourceClaim
	Templates []*resourceapi.ResourceClaimTemplate
}

// Read decodes a question.
func Read(line []byte) (*World, error) {
	var question struct {
		Pod     string            `json:"pod"`
		Objects []json.RawMessage `json:"objects"`
	}
	if err := json.Unmarshal(line, &question); err != nil {
		return nil, err
	}
	world := &World{}
	for _, object := range question.Objects {
		if err := world.add(object); err != nil {
			return nil, err
		}
	}
	for _, pod := range world.Pods {
		if pod.Name == question.Pod {
			world.Pod = pod
		}
	}
	if world.Pod == nil {
		return nil, errors.New("the pod is not among the objects")
	}
	world.makeClaims()
	return world, nil
}

func (w *World) add(object json.RawMessage) error {
	var header metav1.TypeMeta
	if err := json.Unmarshal(object, &header); err != nil {
		return err
	}
	switch header.Kind {
	case "Node":
		return into(&w.Nodes, object)
	case "Pod":
		return into(&w.Pods, object)
	case "ResourceSlice":
		return into(&w.Slices, object)
	case "DeviceClass":
		return into(&w.Classes, object)
	case "ResourceClaim":
		return into(&w.Claims, object)
	case "ResourceClaimTemplate":
		return into(&w.Templates, object)
	}
	return fmt.Errorf("unknown kind %s", header.Kind)
}

func into[T any](list *[]*T, object json.RawMessage) error {
	value := new(T)
	*list = append(*list, value)
	return json.Unmarshal(object, value)
}

// makeClaims does what the claim controller does before the scheduler looks at a pod.
func (w *World) makeClaims() {
	for i, entry := range w.Pod.Spec.ResourceClaims {
		template := w.template(entry.ResourceClaimTemplateName)
		if template == nil || w.isSettled(entry.Name) {
			continue
		}
		claim := &resourceapi.ResourceClaim{Spec: template.Spec.Spec}
		claim.Namespace, claim.Name = w.Pod.Namespace, fmt.Sprintf("%s-%s", w.Pod.Name, entry.Name)
		claim.UID = types.UID(fmt.Sprintf("made-%d", i))
		controller := true
		claim.OwnerReferences = []metav1.OwnerReference{{Kind: "Pod", Name: w.Pod.Name, UID: w.Pod.UID, Controller: &controller}}
		w.Claims = append(w.Claims, claim)
		w.Pod.Status.ResourceClaimStatuses = append(w.Pod.Status.ResourceClaimStatuses,
			v1.PodResourceClaimStatus{Name: entry.Name, ResourceClaimName: &claim.Name})
	}
}

func (w *World) isSettled(entry string) bool {
	return slices.ContainsFunc(w.Pod.Status.ResourceClaimStatuses, func(status v1.PodResourceClaimStatus) bool { return status.Name == entry })
}

func (w *World) template(name *string) *resourceapi.ResourceClaimTemplate {
	for _, template := range w.Templates {
		if name != nil && template.Name == *name {
			return template
		}
	}
	return nil
}
