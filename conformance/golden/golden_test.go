// Upstream's golden files: every kind of ours, in every release kept, must survive decoding and encoding byte by byte.
package golden

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"quadra/conformance/peer"
)

// forms are the encodings of one object.
type forms struct {
	JSON  string `json:"json"`
	YAML  string `json:"yaml"`
	Proto []byte `json:"proto"`
}

// question is an object in all its forms, and what it is, since some do not say so themselves.
type question struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	forms
}

// answer is what each form of a golden object decodes and encodes to.
type answer struct {
	FromJSON  forms `json:"fromJSON"`
	FromYAML  forms `json:"fromYAML"`
	FromProto forms `json:"fromProto"`
}

type golden struct {
	name     string // release/group.version.Kind
	question question
	expected forms
}

// ours are the groups and versions of the schema tables; a kind of theirs that we lack is a failure unless removed.
var ours = []string{
	"apps.v1.", "authentication.k8s.io.v1.", "authorization.k8s.io.v1.", "batch.v1.", "coordination.k8s.io.v1.", "core.v1.",
	"events.k8s.io.v1.", "policy.v1.", "rbac.authorization.k8s.io.v1.", "resource.k8s.io.v1.", "resource.k8s.io.v1beta1.",
	"resource.k8s.io.v1beta2.", "resource.k8s.io.v1alpha3.", "scheduling.k8s.io.v1.", "storage.k8s.io.v1.",
	"apiextensions.k8s.io.v1.",
}

// removed are kinds that 1.37 no longer has in that version.
var removed = map[string]bool{}

func init() {
	for _, kind := range []string{"DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"} {
		removed["resource.k8s.io.v1alpha3."+kind] = true
	}
}

func TestGolden(t *testing.T) {
	goldens := collect(t, "k8s.io/api", "testdata")
	goldens = append(goldens, collect(t, "k8s.io/apiextensions-apiserver", "pkg/apis/testdata")...)
	expected := map[string]answer{}
	peer.Comparison{
		Name: "golden", Module: "api-v0.37.1", Listed: true, Default: len(goldens),
		Ask: func(_ *rand.Rand, i int) any {
			g := goldens[i%len(goldens)]
			question, err := json.Marshal(g.question)
			if err != nil {
				t.Fatal(err)
			}
			expected[string(question)] = answer{g.expected, g.expected, g.expected}
			return question
		},
		Answer: func(question []byte) any { return expected[string(question)] },
	}.Run(t)
	releases := map[string]int{}
	for _, g := range goldens {
		release, _, _ := strings.Cut(g.name, "/")
		releases[release]++
	}
	fmt.Printf("golden: objects per release %v\n", releases)
}

func moduleDir(t *testing.T, module string) string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatalf("%s: %v", module, err)
	}
	return strings.TrimSpace(string(out))
}

func collect(t *testing.T, module, folder string) []golden {
	root := filepath.Join(moduleDir(t, module), folder)
	files, err := filepath.Glob(filepath.Join(root, "*", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files in %s of %s: %v", folder, module, err)
	}
	sort.Strings(files)
	var goldens []golden
	for _, file := range files {
		base := strings.TrimSuffix(file, ".json")
		name := filepath.Base(base)
		if strings.HasSuffix(name, ".after_roundtrip") || !isOurs(name) {
			continue
		}
		if removed[name] {
			fmt.Printf("golden: skipped %s/%s: the version no longer has this kind\n", filepath.Base(filepath.Dir(file)), name)
			continue
		}
		apiVersion, kind := typeOf(name)
		goldens = append(goldens, golden{
			name:     filepath.Base(filepath.Dir(file)) + "/" + name,
			question: question{apiVersion, kind, compacted(t, readForms(t, base, ""))},
			expected: readForms(t, base, ".after_roundtrip"),
		})
	}
	return goldens
}

func isOurs(name string) bool {
	for _, prefix := range ours {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// typeOf splits group.version.Kind.
func typeOf(name string) (apiVersion, kind string) {
	last := strings.LastIndex(name, ".")
	before := strings.LastIndex(name[:last], ".")
	group, version := name[:before], name[before+1:last]
	if group == "core" {
		return version, name[last+1:]
	}
	return group + "/" + version, name[last+1:]
}

// readForms reads the files of one object; ones with the extra ending win where they exist.
func readForms(t *testing.T, base, extra string) forms {
	read := func(ending string) []byte {
		data, err := os.ReadFile(base + extra + ending)
		if os.IsNotExist(err) {
			data, err = os.ReadFile(base + ending)
		}
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	return forms{string(read(".json")), string(read(".yaml")), read(".pb")}
}

// compacted drops the white space of the JSON form, which raw fields would keep.
func compacted(t *testing.T, f forms) forms {
	var out bytes.Buffer
	if err := json.Compact(&out, []byte(f.JSON)); err != nil {
		t.Fatal(err)
	}
	f.JSON = out.String()
	return f
}
