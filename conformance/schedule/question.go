// Package schedule asks upstream's scheduler, plugin by plugin and node by node, what `quadra schedule --stream` is asked: may the pod
// go there, and how good is it?
//
// Not safe for concurrent use.
package schedule

import (
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Question is one line: the pod, the objects of a cluster, and a KubeSchedulerConfiguration, null for the defaults.
type Question struct {
	Pod     *v1.Pod `json:"pod"`
	Objects []any   `json:"objects"`
	Config  any     `json:"config,omitempty"`
	Strict  bool    `json:"strict"`
}

// World is a question as upstream's types.
type World struct {
	Pod          *v1.Pod
	Config       string
	Nodes        []*v1.Node
	Pods         []*v1.Pod
	Namespaces   []*v1.Namespace
	Services     []*v1.Service
	Controllers  []*v1.ReplicationController
	ReplicaSets  []*appsv1.ReplicaSet
	StatefulSets []*appsv1.StatefulSet
	Slices       []*resourceapi.ResourceSlice
	Classes      []*resourceapi.DeviceClass
	Claims       []*resourceapi.ResourceClaim
}

// Read decodes a question.
func Read(line []byte) (*World, error) {
	var question struct {
		Pod     *v1.Pod           `json:"pod"`
		Objects []json.RawMessage `json:"objects"`
		Config  json.RawMessage   `json:"config"`
	}
	if err := json.Unmarshal(line, &question); err != nil {
		return nil, err
	}
	world := &World{Pod: question.Pod, Config: string(question.Config)}
	for _, object := range question.Objects {
		if err := world.add(object); err != nil {
			return nil, err
		}
	}
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
	case "Namespace":
		return into(&w.Namespaces, object)
	case "Service":
		return into(&w.Services, object)
	case "ReplicationController":
		return into(&w.Controllers, object)
	case "ReplicaSet":
		return into(&w.ReplicaSets, object)
	case "StatefulSet":
		return into(&w.StatefulSets, object)
	case "ResourceSlice":
		return into(&w.Slices, object)
	case "DeviceClass":
		return into(&w.Classes, object)
	case "ResourceClaim":
		return into(&w.Claims, object)
	}
	return fmt.Errorf("unknown kind %s", header.Kind)
}

func into[T any](list *[]*T, object json.RawMessage) error {
	value := new(T)
	*list = append(*list, value)
	return json.Unmarshal(object, value)
}

// refersToMissing tells of pods on nodes that are not there, which no scheduler meets.
func (w *World) refersToMissing() bool {
	names := map[string]bool{"": true}
	for _, node := range w.Nodes {
		names[node.Name] = true
	}
	for _, pod := range w.Pods {
		if !names[pod.Spec.NodeName] || !names[pod.Status.NominatedNodeName] {
			return true
		}
	}
	return false
}
