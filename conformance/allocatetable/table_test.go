// Runs upstream's own table of allocations with quadra as the allocator.
package allocatetable

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quadra/conformance/allocate"
	"quadra/conformance/peer"
)

const upstreamModule = "k8s.io/dynamic-resource-allocation"

// uncrossable are the cases about a context that is done, which no process boundary lets through.
var uncrossable = []string{"TestTable/main/interrupt/timeout", "TestTable/main/interrupt/deadline", "TestTable/main/interrupt/cancel"}

// What v0.37.1 has.
const mainCases, orderingCases, interruptCases = 275, 4, 4

// overlay prepares a go.mod that finds upstream's module by a link, since Go lays nothing over its cache, and what to lay over it.
func overlay(t *testing.T, folder string) (modfile, overlaid string) {
	original := strings.TrimSpace(output(t, "go", "list", "-m", "-f", "{{.Dir}}", upstreamModule))
	link := filepath.Join(folder, "module")
	must(t, os.Symlink(original, link))
	here, err := os.Getwd()
	must(t, err)
	replaced, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(link, "structured", "quadra_test.go"): filepath.Join(here, "overlay.txt")}})
	must(t, err)
	overlaid, modfile = filepath.Join(folder, "overlay.json"), filepath.Join(folder, "go.mod")
	must(t, os.WriteFile(overlaid, replaced, 0o644))
	must(t, os.WriteFile(filepath.Join(folder, "go.sum"), read(t, "..", "go.sum"), 0o644))
	must(t, os.WriteFile(modfile, read(t, "..", "go.mod"), 0o644))
	output(t, "go", "mod", "edit", "-replace", upstreamModule+"="+link, modfile)
	return modfile, overlaid
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

// outcome is what became of the cases, by name.
type outcome map[string]string

// runTable runs the table and writes its questions to a file.
func runTable(t *testing.T, questions string) (outcome, map[string]string) {
	folder := t.TempDir()
	modfile, overlaid := overlay(t, folder)
	quadra, err := filepath.Abs(filepath.Join("..", "..", "build", "quadra"))
	must(t, err)
	command := exec.Command("go", "test", "-json", "-count=1", "-modfile="+modfile, "-overlay="+overlaid, "-run", "^TestTable$",
		upstreamModule+"/structured", "-args", "-testing.v=0")
	command.Env = append(os.Environ(), "QUADRA="+quadra, "QUADRA_QUESTIONS="+questions, "QUADRA_ALLOCATORS=incubating,experimental")
	command.Stderr = os.Stderr
	out, _ := command.Output() // fails if a case does
	ended, said := readEvents(out)
	if len(ended) == 0 {
		t.Fatalf("the table did not run:\n%s", out)
	}
	return ended, said
}

// readEvents finds how each case ended and what it said. Only innermost tests are cases.
func readEvents(out []byte) (ended outcome, said map[string]string) {
	ended, said = outcome{}, map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var event struct{ Action, Test, Output string }
		if json.Unmarshal(lines.Bytes(), &event) != nil || event.Test == "" {
			continue
		}
		switch event.Action {
		case "output":
			said[event.Test] += event.Output
		case "pass", "fail", "skip":
			ended[event.Test] = event.Action
		}
	}
	for name := range ended {
		for at := strings.LastIndexByte(name, '/'); at > 0; at = strings.LastIndexByte(name[:at], '/') {
			delete(ended, name[:at])
		}
	}
	return ended, said
}

func TestTable(t *testing.T) {
	questions := filepath.Join(t.TempDir(), "questions")
	ended, said := runTable(t, questions)
	passed, failed := 0, 0
	for name, how := range ended {
		switch {
		case slices.Contains(uncrossable, name):
			fmt.Printf("allocatetable: cannot cross a process boundary: %s\n", strings.TrimPrefix(name, "TestTable/main/"))
		case how == "pass":
			passed++
		default:
			failed++
			t.Errorf("allocatetable: %s: %s\n%s", name, how, said[name])
		}
	}
	fmt.Printf("allocatetable: %d passed, %d failed\n", passed, failed)
	if all := mainCases + orderingCases + interruptCases; len(ended) != all {
		t.Errorf("allocatetable: %d cases ran, not %d", len(ended), all)
	}
	compare(t, questions)
}

// compare puts the table's questions to both sides: unlike the table, this compares the order of results too.
func compare(t *testing.T, path string) {
	asked := [][]byte{}
	for _, line := range bytes.Split(bytes.TrimSpace(read(t, path)), []byte("\n")) {
		if !slices.ContainsFunc(asked, func(other []byte) bool { return bytes.Equal(line, other) }) {
			asked = append(asked, line)
		}
	}
	slices.SortFunc(asked, bytes.Compare) // the table is a map
	ask := func(_ *rand.Rand, i int) any { return asked[i%len(asked)] }
	peer.Comparison{
		Name: "allocate", Module: "dynamic-resource-allocation-table-v0.37.1", Listed: true, Default: len(asked), Recorded: len(asked),
		Ask: ask, Answer: allocate.Compared, Reduce: allocate.Reduced, Shrink: allocate.Shrink,
		Command: []string{"quadra", "allocate", "--stream", "--strict"},
	}.Run(t)
}
