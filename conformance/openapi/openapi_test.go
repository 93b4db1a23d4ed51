// Package openapi compares our OpenAPI v3 documents with those that upstream publishes: the paths and types there are, and of
// each all but its descriptions, less what we do not serve yet.
package openapi

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quadra/conformance/peer"
)

var documents = strings.Fields(`api/v1 apis/apps/v1 apis/events.k8s.io/v1 apis/authentication.k8s.io/v1 apis/authorization.k8s.io/v1
	apis/batch/v1 apis/policy/v1 apis/rbac.authorization.k8s.io/v1 apis/storage.k8s.io/v1 apis/apiextensions.k8s.io/v1
	apis/scheduling.k8s.io/v1 apis/coordination.k8s.io/v1 apis/resource.k8s.io/v1 apis/resource.k8s.io/v1beta2
	apis/resource.k8s.io/v1beta1 apis/resource.k8s.io/v1alpha3`)

// missing are paths that we do not serve (yet).
var missing = regexp.MustCompile(`/watch/|/componentstatuses|/\{name\}/(attach|eviction|exec|log|portforward|proxy|token)\b`)

// question asks for what stands in a document behind these keys, or for the names of its members.
type question struct {
	Document string   `json:"document"`
	Keys     []string `json:"keys"`
	Names    bool     `json:"names,omitempty"`
}

type object = map[string]any

func TestOpenAPI(t *testing.T) {
	published := readDocuments(t)
	asked := questions(published)
	peer.Comparison{
		Name: "openapi", Module: "kubernetes-v1.37.1", Listed: true, Default: len(asked),
		Ask: func(_ *rand.Rand, i int) any { return asked[i%len(asked)] },
		Answer: func(line []byte) any {
			var q question
			must(json.Unmarshal(line, &q))
			return q.answer(published[q.Document])
		},
		Reduce: func(_, ours []byte) []byte {
			var value any
			must(json.Unmarshal(ours, &value))
			return marshal(compared(value))
		},
		Deviates: func(_, upstream, ours []byte) bool { return string(deviating(upstream)) == string(deviating(ours)) },
	}.Run(t)
}

func readDocuments(t *testing.T) map[string]object {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/kubernetes").Output()
	if err != nil {
		t.Fatal(err)
	}
	published := map[string]object{}
	for _, name := range documents {
		file := strings.ReplaceAll(name, "/", "__") + "_openapi.json"
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "api", "openapi-spec", "v3", file))
		if err != nil {
			t.Fatal(err)
		}
		var document object
		must(json.Unmarshal(text, &document))
		keepServed(document)
		published[name] = document
	}
	return published
}

// keepServed takes out the paths that are missing, and the types that nothing else speaks of.
func keepServed(document object) {
	paths := document["paths"].(object)
	maps.DeleteFunc(paths, func(path string, _ any) bool { return missing.MatchString(path) })
	schemas, spoken := find(document, []string{"components", "schemas"}).(object), map[string]bool{}
	collect(paths, schemas, spoken)
	maps.DeleteFunc(schemas, func(name string, _ any) bool { return !spoken[name] })
}

// collect finds the types that a part of a document refers to, and those that they refer to.
func collect(value any, schemas object, spoken map[string]bool) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			collect(item, schemas, spoken)
		}
	case object:
		for key, member := range value {
			collect(member, schemas, spoken)
			if name, ok := member.(string); ok && key == "$ref" {
				name = strings.TrimPrefix(name, "#/components/schemas/")
				if !spoken[name] {
					spoken[name] = true
					collect(schemas[name], schemas, spoken)
				}
			}
		}
	}
}

// questions are all paths and all types of each document, and which there are.
func questions(published map[string]object) (asked []question) {
	for _, name := range documents {
		for _, keys := range [][]string{{"paths"}, {"components", "schemas"}} {
			all := question{Document: name, Keys: keys, Names: true}
			asked = append(asked, all)
			for _, member := range all.names(published[name]) {
				asked = append(asked, question{Document: name, Keys: append(slices.Clone(keys), member)})
			}
		}
	}
	return asked
}

func (q question) answer(document object) any {
	if q.Names {
		return q.names(document)
	}
	return json.RawMessage(marshal(compared(find(document, q.Keys))))
}

func (q question) names(document object) []string {
	return slices.Sorted(maps.Keys(find(document, q.Keys).(object)))
}

func find(value any, keys []string) any {
	for _, key := range keys {
		value = value.(object)[key]
	}
	return value
}

// compared leaves out what may differ: descriptions, CBOR, unions, and what is said explicitly although it is the default.
func compared(value any) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = compared(value[i])
		}
	case object:
		spreadParameters(value)
		for key, member := range value {
			value[key] = compared(member)
			if isLeftOut(key, member) {
				delete(value, key)
			}
		}
		if all, ok := value["allOf"].([]any); ok && len(value) == 1 {
			return all[0]
		}
	}
	return value
}

func isLeftOut(key string, value any) bool {
	_, isText := value.(string)
	switch key {
	case "description":
		return isText
	case "x-kubernetes-unions":
		return true
	case "x-kubernetes-list-type":
		return value == "atomic"
	case "x-kubernetes-map-type":
		return value == "granular"
	case "default":
		return value == "" || value == 0.0 || value == false
	}
	return strings.Contains(key, "cbor")
}

// spreadParameters gives every operation of a path the parameters that they share.
func spreadParameters(path object) {
	shared, ok := path["parameters"].([]any)
	if _, isOperation := path["responses"]; !ok || isOperation {
		return
	}
	delete(path, "parameters")
	for _, operation := range path {
		operation := operation.(object)
		own, _ := operation["parameters"].([]any)
		operation["parameters"] = append(slices.Clone(shared), own...)
		slices.SortFunc(operation["parameters"].([]any), func(a, b any) int {
			return strings.Compare(a.(object)["name"].(string), b.(object)["name"].(string))
		})
	}
}

// deviating hides where we say more than upstream: deleting a namespace returns it, and allocationMode has a default.
func deviating(answer []byte) []byte {
	text := strings.ReplaceAll(string(answer), "io.k8s.api.core.v1.Namespace\"", "io.k8s.apimachinery.pkg.apis.meta.v1.Status\"")
	return []byte(strings.ReplaceAll(text, `"default":"ExactCount",`, ""))
}

func marshal(value any) []byte {
	text, err := json.Marshal(value)
	must(err)
	return text
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
