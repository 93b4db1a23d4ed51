// Asks quadra the questions of upstream's own tests of device expressions. Some of their tables are local to test functions, so
// the tests run on a copy of the package with a recorder (record.txt) laid over the entry points that they call.
package tables

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quadra/conformance/peer"
	"quadra/conformance/selector"
)

const upstreamModule = "k8s.io/dynamic-resource-allocation"

// tests of upstream whose questions are recorded.
const tests = "^(TestCEL|TestCompileDerivedAttributes|TestEvaluateDerivedAttributes)$"

// unrecorded is what the recorder calls instead.
var unrecorded = strings.NewReplacer(
	"func (c compiler) CompileCELExpression(", "func (c compiler) compileUnrecorded(",
	"func (c CompilationResult) DeviceMatches(", "func (c CompilationResult) matchUnrecorded(",
	"func (c CompilationResult) EvaluateDerivedAttribute(", "func (c CompilationResult) deriveUnrecorded(",
)

// copyUpstream copies upstream's package with the recorder in it, and returns a go.mod that replaces the module by the copy.
func copyUpstream(t *testing.T, folder string) string {
	original := strings.TrimSpace(output(t, "go", "list", "-m", "-f", "{{.Dir}}", upstreamModule))
	copied := filepath.Join(folder, "module")
	must(t, os.MkdirAll(filepath.Join(copied, "cel"), 0o755))
	must(t, os.WriteFile(filepath.Join(copied, "go.mod"), read(t, original, "go.mod"), 0o644))
	files, err := filepath.Glob(filepath.Join(original, "cel", "*.go"))
	must(t, err)
	for _, path := range files {
		text := unrecorded.Replace(string(read(t, path)))
		must(t, os.WriteFile(filepath.Join(copied, "cel", filepath.Base(path)), []byte(text), 0o644))
	}
	must(t, os.WriteFile(filepath.Join(copied, "cel", "record.go"), read(t, "record.txt"), 0o644))
	must(t, os.WriteFile(filepath.Join(folder, "go.sum"), read(t, "..", "go.sum"), 0o644))
	modfile := filepath.Join(folder, "go.mod")
	must(t, os.WriteFile(modfile, read(t, "..", "go.mod"), 0o644))
	output(t, "go", "mod", "edit", "-replace", upstreamModule+"="+copied, modfile)
	return modfile
}

func must(t *testing.T, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

func read(t *testing.T, path ...string) []byte {
	text, err := os.ReadFile(filepath.Join(path...))
	must(t, err)
	return text
}

func output(t *testing.T, command ...string) string {
	out, err := exec.Command(command[0], command[1:]...).Output()
	must(t, err)
	return string(out)
}

// record runs upstream's tests and returns what they asked, each question once.
func record(t *testing.T) [][]byte {
	folder := t.TempDir()
	path := filepath.Join(folder, "questions")
	command := exec.Command("go", "test", "-modfile="+copyUpstream(t, folder), "-count=1", "-run", tests, upstreamModule+"/cel")
	command.Env = append(os.Environ(), "QUADRA_QUESTIONS="+path)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("upstream's tests: %v\n%s", err, out)
	}
	file, err := os.Open(path)
	must(t, err)
	defer file.Close()
	asked, seen := [][]byte{}, map[string]bool{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if !seen[lines.Text()] {
			seen[lines.Text()] = true
			asked = append(asked, bytes.Clone(lines.Bytes()))
		}
	}
	return asked
}

// expressions counts the distinct expressions of each use.
func expressions(t *testing.T, asked [][]byte) map[string]int {
	counts, seen := map[string]int{}, map[string]bool{}
	for _, line := range asked {
		question, err := selector.Read(line)
		must(t, err)
		if key := question.As + " " + *question.Expression; !seen[key] {
			seen[key] = true
			counts[question.As]++
		}
	}
	return counts
}

func TestTables(t *testing.T) {
	asked := record(t)
	counts := expressions(t, asked)
	fmt.Printf("tables: %d questions of upstream's tests, %d selectors, %d derived attributes\n", len(asked), counts["selector"], counts["derived"])
	peer.Comparison{
		Name: "tables", Module: "dynamic-resource-allocation-v0.37.1", Listed: true, Default: len(asked),
		Ask:     func(_ *rand.Rand, i int) any { return asked[i%len(asked)] },
		Answer:  func(question []byte) any { return selector.Compared(question) },
		Reduce:  selector.Reduced,
		Command: []string{"quadra", "select", "--stream"},
	}.Run(t)
}
