package main

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	"k8s.io/kubernetes/pkg/printers"
	printersinternal "k8s.io/kubernetes/pkg/printers/internalversion"
)

// Names, types and order of the table columns are those of upstream's printers; kinds without one have none.
func TestColumnsMatchPrinters(t *testing.T) {
	known, err := readSources()
	if err != nil {
		t.Fatal(err)
	}
	generator := printers.NewTableGenerator().With(printersinternal.AddHandlers)
	compared := 0
	for _, k := range known.kinds {
		internal, err := emptyInternal(k)
		if err != nil {
			continue // not an object of kube-apiserver's scheme, e.g. CustomResourceDefinition
		}
		var want []metav1.TableColumnDefinition
		if table, err := generator.GenerateTable(internal, printers.GenerateOptions{Wide: true}); err == nil && isShown(k) {
			want = table.ColumnDefinitions
		}
		compared++
		if have, want := describeOurs(k.columns), describeTheirs(want); have != want {
			t.Errorf("%v\nours:     %s\nupstream: %s", k.GroupVersionKind, have, want)
		}
	}
	if compared < 100 {
		t.Errorf("only %d kinds were compared", compared)
	}
}

// isShown tells kinds that tables show: what is served by a name of its own, and subresources that ours have columns for.
func isShown(k kind) bool { return k.served.plural != "" || len(k.columns) > 0 }

func emptyInternal(k kind) (runtime.Object, error) {
	versioned, err := legacyscheme.Scheme.New(k.GroupVersionKind)
	if err != nil {
		return nil, err
	}
	return legacyscheme.Scheme.ConvertToVersion(versioned, runtime.InternalGroupVersioner)
}

func describeOurs(columns []column) string {
	var parts []string
	for _, c := range columns {
		kind := c.kind
		if kind == "" {
			kind = "string"
		}
		parts = append(parts, fmt.Sprintf("%s:%s wide=%v", c.name, kind, c.wide))
	}
	return strings.Join(parts, ", ")
}

func describeTheirs(columns []metav1.TableColumnDefinition) string {
	var parts []string
	for _, c := range columns {
		parts = append(parts, fmt.Sprintf("%s:%s wide=%v", c.Name, c.Type, c.Priority > 0))
	}
	return strings.Join(parts, ", ")
}
