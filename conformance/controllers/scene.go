package controllers

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
)

// scene is one sequence on one side: its namespace, and those objects of no namespace whose names begin as the namespace's does.
type scene struct {
	side      *side
	client    kubernetes.Interface
	namespace string
}

func newScene(s *side, namespace string) *scene {
	return &scene{side: s, client: s.client, namespace: namespace}
}

// look is what there is, in normal form, and marks that change whenever anything does.
func (s *scene) look(ctx context.Context) (state, marks string) {
	objects, err := s.all(ctx)
	if err != nil {
		return "", err.Error()
	}
	told, err := s.told(ctx)
	if err != nil {
		return "", err.Error()
	}
	versions := make([]string, 0, len(objects))
	for _, each := range objects {
		metadata := each["metadata"].(map[string]any)
		versions = append(versions, fmt.Sprintf("%v/%v@%v", each["kind"], metadata["name"], metadata["resourceVersion"]))
	}
	return normal(objects, told), strings.Join(versions, " ")
}

// told is what controllers told people in events, each once; how often is not compared, for retries are.
func (s *scene) told(ctx context.Context) (all []string, err error) {
	events, err := s.client.CoreV1().Events(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	for _, each := range events.Items {
		about := each.InvolvedObject
		all = append(all, fmt.Sprintf("%s told of %s %s: %s %s %s", each.Source.Component, about.Kind, about.Name, each.Type, each.Reason, each.Message))
	}
	return all, nil
}

// all are the objects of the sequence as trees, those of a kind together.
func (s *scene) all(ctx context.Context) (objects []map[string]any, err error) {
	for _, each := range s.collections() {
		list, err := each.list(ctx)
		if err != nil {
			return nil, err
		}
		trees, err := treesOf(each.kind, list)
		if err != nil {
			return nil, err
		}
		objects = append(objects, slices.DeleteFunc(trees, func(tree map[string]any) bool {
			metadata := tree["metadata"].(map[string]any)
			return metadata["namespace"] == nil && !strings.HasPrefix(metadata["name"].(string)+"-", s.namespace+"-")
		})...)
	}
	return objects, nil
}

type collection struct {
	kind string
	list func(context.Context) (runtime.Object, error)
}

func (s *scene) collections() []collection {
	core, all := s.client.CoreV1(), metav1.ListOptions{}
	return []collection{
		{"Namespace", func(ctx context.Context) (runtime.Object, error) { return core.Namespaces().List(ctx, all) }},
		{"Node", func(ctx context.Context) (runtime.Object, error) { return core.Nodes().List(ctx, all) }},
		{"ResourceSlice", func(ctx context.Context) (runtime.Object, error) {
			return s.client.ResourceV1().ResourceSlices().List(ctx, all)
		}},
		{"DeviceTaintRule", func(ctx context.Context) (runtime.Object, error) {
			return s.client.ResourceV1().DeviceTaintRules().List(ctx, all)
		}},
		{"Pod", func(ctx context.Context) (runtime.Object, error) { return core.Pods(s.namespace).List(ctx, all) }},
		{"ResourceClaim", func(ctx context.Context) (runtime.Object, error) {
			return s.client.ResourceV1().ResourceClaims(s.namespace).List(ctx, all)
		}},
		{"ResourceClaimTemplate", func(ctx context.Context) (runtime.Object, error) {
			return s.client.ResourceV1().ResourceClaimTemplates(s.namespace).List(ctx, all)
		}},
		{"ConfigMap", func(ctx context.Context) (runtime.Object, error) { return core.ConfigMaps(s.namespace).List(ctx, all) }},
		{"ServiceAccount", func(ctx context.Context) (runtime.Object, error) {
			return core.ServiceAccounts(s.namespace).List(ctx, all)
		}},
		{"ReplicaSet", func(ctx context.Context) (runtime.Object, error) {
			return s.client.AppsV1().ReplicaSets(s.namespace).List(ctx, all)
		}},
		{"PodDisruptionBudget", func(ctx context.Context) (runtime.Object, error) {
			return s.client.PolicyV1().PodDisruptionBudgets(s.namespace).List(ctx, all)
		}},
	}
}

// treesOf are the items of a list, each with its kind.
func treesOf(kind string, list runtime.Object) ([]map[string]any, error) {
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	var read struct{ Items []map[string]any }
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, err
	}
	for _, each := range read.Items {
		each["kind"] = kind
	}
	return read.Items, nil
}
