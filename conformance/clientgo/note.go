package clientgo

import (
	"encoding/json"
	"fmt"
	"regexp"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// note keeps what was observed, in words, without what no two servers have in common.
func (s *side) note(format string, arguments ...any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.notes = append(s.notes, normal(fmt.Sprintf(format, arguments...)))
}

// show notes an object, or a part of one, as JSON.
func (s *side) show(what string, object any) {
	text, err := json.Marshal(object)
	if err != nil {
		s.t.Errorf("%s: %v", what, err)
		return
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		s.t.Errorf("%s: %v", what, err)
		return
	}
	text, _ = json.Marshal(reduced(tree))
	s.note("%s: %s", what, text)
}

// refused notes code, reason and words of a refusal; that there was none, too.
func (s *side) refused(what string, err error) {
	status, ok := err.(apierrors.APIStatus)
	if !ok {
		s.note("%s: %v", what, err)
		return
	}
	s.note("%s: %d %s: %s", what, status.Status().Code, status.Status().Reason, status.Status().Message)
}

// reduced is the tree without managedFields, which we do not keep yet, and with generated names cut to what they were made from.
func reduced(tree any) any {
	switch node := tree.(type) {
	case map[string]any:
		delete(node, "managedFields")
		if prefix, ok := node["generateName"].(string); ok {
			node["name"] = prefix + "*"
		}
		for name, value := range node {
			node[name] = reduced(value)
		}
	case []any:
		for i, value := range node {
			node[i] = reduced(value)
		}
	}
	return tree
}

// varying is what no two servers have in common, nor two runs of one.
var varying = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "UID"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(Z|[+-]\d\d:?\d\d)`), "TIME"},
	{regexp.MustCompile(`("resourceVersion":|resourceVersion=|resourceVersion: |current: )"?[1-9]\d*"?`), "${1}N"},
	{regexp.MustCompile(`\bresource version: \d+ \(\d+\)`), "resource version: N (N)"},
	{regexp.MustCompile(`continue=[\w%.-]+`), "continue=TOKEN"},
	{regexp.MustCompile(`timeout(Seconds)?=\d\w+`), "timeout${1}=T"},
	{regexp.MustCompile(`\.[0-9a-f]{16}\b`), ".HASH"},
}

func normal(text string) string {
	for _, each := range varying {
		text = each.pattern.ReplaceAllString(text, each.instead)
	}
	return text
}
