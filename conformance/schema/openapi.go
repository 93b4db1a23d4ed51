package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// document is the part of an OpenAPI v3 document we read.
type document struct {
	Paths      map[string]map[string]json.RawMessage `json:"paths"`
	Components struct {
		Schemas map[string]openAPIType `json:"schemas"`
	} `json:"components"`
}

type openAPIType struct {
	Properties map[string]openAPIField `json:"properties"`
	Required   []string                `json:"required"`
	MapType    string                  `json:"x-kubernetes-map-type"`
}

type openAPIField struct {
	ListType    string          `json:"x-kubernetes-list-type"`
	ListMapKeys []string        `json:"x-kubernetes-list-map-keys"`
	MapType     string          `json:"x-kubernetes-map-type"`
	Default     json.RawMessage `json:"default"`
	required    bool
}

// served is how the API server offers a kind.
type served struct {
	plural                string
	namespaced, hasStatus bool
}

// openAPI holds upstream's documents, merged.
type openAPI struct {
	types map[string]openAPIType
	kinds map[schema.GroupVersionKind]served
}

func readOpenAPI() (*openAPI, error) {
	folder, err := moduleFolder("k8s.io/kubernetes")
	if err != nil {
		return nil, err
	}
	api := &openAPI{types: map[string]openAPIType{}, kinds: map[schema.GroupVersionKind]served{}}
	for _, gv := range groupVersions {
		if gv.at == metaV1 {
			continue // has no document; its types appear in the others
		}
		if err := api.read(filepath.Join(folder, "api/openapi-spec/v3", documentName(gv.at))); err != nil {
			return nil, err
		}
	}
	return api, nil
}

func moduleFolder(module string) (string, error) { return goList("-m", module) }

func packageFolder(pkgPath string) (string, error) { return goList("-find", pkgPath) }

func goList(flag, name string) (string, error) {
	out, err := exec.Command("go", "list", flag, "-f", "{{.Dir}}", name).Output()
	if err != nil {
		return "", fmt.Errorf("finding %s: %w", name, err)
	}
	return strings.TrimSpace(string(out)), nil
}

func documentName(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return "api__" + gv.Version + "_openapi.json"
	}
	return "apis__" + gv.Group + "__" + gv.Version + "_openapi.json"
}

func (api *openAPI) read(path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var doc document
	if err := json.Unmarshal(content, &doc); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for name, t := range doc.Components.Schemas {
		api.types[name] = t
	}
	for path, operations := range doc.Paths {
		api.readPath(path, operations)
	}
	return nil
}

// readPath learns plural, scope and status subresource from a path such as /apis/G/V/namespaces/{namespace}/pods/{name}/status.
func (api *openAPI) readPath(path string, operations map[string]json.RawMessage) {
	var operation struct {
		Kind schema.GroupVersionKind `json:"x-kubernetes-group-version-kind"`
	}
	for _, method := range []string{"put", "post"} {
		if raw, ok := operations[method]; ok {
			_ = json.Unmarshal(raw, &operation) // a path without a kind stays without
		}
	}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	inNamespace := false
	for i, part := range parts {
		if part == "{namespace}" && i+1 < len(parts) {
			inNamespace = true
		}
	}
	last := parts[len(parts)-1]
	kind := api.kinds[operation.Kind]
	switch {
	case operation.Kind.Kind == "":
		return
	case last == "status" && parts[len(parts)-2] == "{name}":
		kind.hasStatus = true
	case last == "{name}" || strings.Contains(path, "{name}"):
		return
	default:
		kind.plural = last
		kind.namespaced = kind.namespaced || inNamespace
	}
	api.kinds[operation.Kind] = kind
}

// field looks up a property of a type; the zero value when the documents do not know it.
func (api *openAPI) field(typeName, json string) openAPIField {
	t := api.types[typeName]
	f := t.Properties[json]
	for _, name := range t.Required {
		f.required = f.required || name == json
	}
	if isZero(f.Default) {
		f.Default = nil
	}
	return f
}

// isZero tells the defaults that only spell out Go's zero value.
func isZero(value json.RawMessage) bool {
	switch string(bytes.TrimSpace(value)) {
	case "", "{}", `""`, "0", "false":
		return true
	}
	return false
}
