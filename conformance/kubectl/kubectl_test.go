// Package kubectl runs the same kubectl commands on our server and on kube-apiserver: what they print and how they end must
// be equal, but for what no two servers have in common (normal.go) and the rows of deviations.txt. The commands are in
// scenarios/*.txt; -only picks scenarios by their titles.
package kubectl

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"quadra/conformance/ourserver"
	_ "quadra/conformance/peer" // for its flags, which every comparison takes
	"quadra/conformance/realserver"
)

var only = flag.String("only", "", "run scenarios whose title contains this")

func TestKubectl(t *testing.T) {
	rows, err := readDeviations("deviations.txt")
	if err != nil {
		t.Fatal(err)
	}
	scenarios := readAll(t)
	c := &comparison{t: t, real: startReal(t), ours: startOurs(t), deviations: rows}
	for i, each := range scenarios {
		if strings.Contains(each.title, *only) {
			c.play(fmt.Sprintf("scenario-%d", i), each)
		}
	}
	for _, row := range rows {
		if !row.met && *only == "" {
			t.Errorf("deviations.txt: nothing differs any more in %q: %s", row.scenario, row.command)
		}
	}
	fmt.Printf("kubectl: %d scenarios, %d commands, %d differences\n", len(scenarios), c.commands, c.differences)
}

// The table has what it is meant to have: enough commands, and enough of each verb.
func TestEveryVerbIsAsked(t *testing.T) {
	verbs := strings.Fields(`annotate api-resources apply cordon create delete describe diff drain edit events explain get label
		patch replace taint uncordon wait`)
	asked := map[string]int{}
	commands := 0
	for _, each := range readAll(t) {
		for _, step := range each.steps {
			for _, match := range regexp.MustCompile(`kubectl ([a-z-]+)`).FindAllStringSubmatch(step.command, -1) {
				asked[match[1]]++
				commands++
			}
		}
	}
	if commands < 80 {
		t.Errorf("%d commands, at least 80 are wanted", commands)
	}
	for _, verb := range verbs {
		if asked[verb] < 3 {
			t.Errorf("kubectl %s is asked %d times, at least 3 are wanted", verb, asked[verb])
		}
	}
}

func readAll(t *testing.T) (all []scenario) {
	t.Helper()
	paths, err := filepath.Glob("scenarios/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal("no scenarios: ", err)
	}
	for _, path := range paths {
		some, err := readScenarios(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	return all
}

func startReal(t *testing.T) side {
	t.Helper()
	server, err := realserver.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	return side{kubeconfig: server.Kubeconfig, folder: t.TempDir()}
}

func startOurs(t *testing.T) side {
	t.Helper()
	server, err := ourserver.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	return side{kubeconfig: server.Kubeconfig, folder: t.TempDir()}
}

type comparison struct {
	t                     *testing.T
	real, ours            side
	deviations            deviations
	commands, differences int
}

func (c *comparison) play(namespace string, what scenario) {
	for _, each := range []side{c.real, c.ours} {
		if err := each.enter(namespace); err != nil {
			c.t.Errorf("%s: %v", what.title, err)
			return
		}
	}
	for _, step := range what.steps {
		if step.command != "" {
			c.compare(what.title, step.command)
			continue
		}
		for _, each := range []side{c.real, c.ours} {
			if err := each.write(step.file, step.text); err != nil {
				c.t.Fatal(err)
			}
		}
	}
}

func (c *comparison) compare(title, command string) {
	var real, ours outcome
	var both sync.WaitGroup
	both.Go(func() { real = c.real.run(command) })
	both.Go(func() { ours = c.ours.run(command) })
	both.Wait()
	c.commands++
	if real == ours || (real.code == ours.code && c.deviations.covers(title, command)) {
		return
	}
	c.differences++
	c.t.Errorf("%s\n$ %s\n%s", title, command, difference(c.t, real, ours))
}

// difference is what diff says of the two, - the real server's.
func difference(t *testing.T, real, ours outcome) string {
	folder := t.TempDir()
	for name, each := range map[string]outcome{"real": real, "ours": ours} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(each.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command("diff", "-U2", "real", "ours")
	command.Dir = folder
	out, _ := command.Output() // differing is an exit code of 1
	lines := strings.SplitN(string(out), "\n", 3)
	return lines[len(lines)-1]
}
