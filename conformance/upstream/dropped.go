package upstream

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// dropped are the paths, in the request's version, that the strategy took out of the part the request may write: spec on
// create and update, status on a status update. Resets (status on create, spec on a status update) are no drops.
func (a *attempt) dropped(before runtime.Object) []string {
	part := "spec"
	if a.operation == "status" {
		part = "status"
	}
	if sameField(before, a.object, part) {
		return []string{}
	}
	paths := missing([]string{}, part, a.versioned(before)[part], a.versioned(a.object)[part])
	slices.Sort(paths)
	return a.kind.relevantPaths(paths)
}

func sameField(a, b runtime.Object, part string) bool {
	name := map[string]string{"spec": "Spec", "status": "Status"}[part]
	left, right := reflect.ValueOf(a).Elem().FieldByName(name), reflect.ValueOf(b).Elem().FieldByName(name)
	return !left.IsValid() || reflect.DeepEqual(left.Interface(), right.Interface())
}

// versioned is the JSON of an internal object in the request's version.
func (a *attempt) versioned(object runtime.Object) map[string]any {
	converted, err := legacyscheme.Scheme.ConvertToVersion(object, a.version)
	if err != nil {
		panic(err)
	}
	text, err := json.Marshal(converted)
	if err != nil {
		panic(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		panic(err)
	}
	return fields
}

// missing appends the topmost paths that before has and after has not; of a list that got shorter only the list. Keys of maps
// are written as in validation errors.
func missing(paths []string, path string, before, after any) []string {
	switch before := before.(type) {
	case map[string]any:
		after, ok := after.(map[string]any)
		if !ok {
			return append(paths, path)
		}
		for name, value := range before {
			paths = missing(paths, childPath(path, name), value, after[name])
		}
	case []any:
		after, ok := after.([]any)
		if !ok || len(after) < len(before) {
			return append(paths, path)
		}
		for i, value := range before {
			paths = missing(paths, fmt.Sprintf("%s[%d]", path, i), value, after[i])
		}
	case nil:
	default:
		if after == nil {
			return append(paths, path)
		}
	}
	return paths
}

func childPath(path, name string) string {
	if mapOf(path) == path {
		return path + "[" + name + "]"
	}
	return path + "." + name
}
