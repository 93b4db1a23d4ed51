package controllers

import (
	"slices"
	"strings"

	"k8s.io/client-go/kubernetes"

	"quadra/conformance/mirror"
)

// scene is one sequence on one side: its namespace, and those objects of no namespace whose names begin as the namespace's does.
type scene struct {
	side      *side
	client    kubernetes.Interface
	namespace string

	seen, state string // what the last look saw, and its normal form
}

func newScene(s *side, namespace string) *scene {
	return &scene{side: s, client: s.client, namespace: namespace}
}

// look is what there is, in normal form, and marks that change whenever anything does.
func (s *scene) look() (state, marks string, err error) {
	objects, told := s.side.mirror.Of(s.namespace), s.side.mirror.ToldIn(s.namespace)
	versions := make([]string, 0, len(objects))
	for _, each := range objects {
		versions = append(versions, each.Mark())
	}
	slices.Sort(versions)
	slices.Sort(told)
	marks = strings.Join(versions, " ")
	if seen := marks + "\n" + strings.Join(told, "\n"); seen != s.seen {
		trees, err := treesOf(objects)
		if err != nil {
			return "", "", err
		}
		s.seen, s.state = seen, mirror.Normal(trees, told)
	}
	return s.state, marks, nil
}

func treesOf(objects []mirror.Entry) (trees []map[string]any, err error) {
	for _, each := range objects {
		tree, err := each.Tree()
		if err != nil {
			return nil, err
		}
		trees = append(trees, tree)
	}
	return trees, nil
}
