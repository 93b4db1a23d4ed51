// Compares strict decoding: which texts are objects, and which path is to blame where one is not.
package decode

import (
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quadra/conformance/generate"
	"quadra/conformance/peer"
	"quadra/conformance/upstream"
)

func TestDecode(t *testing.T) {
	documents, err := generate.LoadDocuments(filepath.Join(moduleFolder(t, "k8s.io/api"), "testdata", "HEAD"),
		filepath.Join(moduleFolder(t, "k8s.io/apiextensions-apiserver"), "pkg", "apis", "testdata", "HEAD"))
	if err != nil {
		t.Fatal(err)
	}
	peer.Comparison{
		Name: "decode", Module: "api-v0.37.1", Default: 100000, Recorded: 600,
		Ask: func(random *rand.Rand, _ int) any {
			return documents.Question(&generate.Source{Rand: random})
		},
		Answer: upstream.Decode,
	}.Run(t)
}

func moduleFolder(t *testing.T, module string) string {
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatalf("where is %s: %v", module, err)
	}
	return strings.TrimSpace(string(folder))
}
