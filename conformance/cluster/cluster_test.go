// Package cluster has our controllers keep clusters whose server is kube-apiserver, with the rights that `quadra rbac` prints and
// no others: all that tests/server/controllers.py plays, a minute in which nothing happens, and pods that kube-scheduler
// or schedulers of ours give devices. At the end nothing may be left, and nothing may have been refused.
package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quadra/conformance/ourserver"
	"quadra/conformance/peer"
	"quadra/conformance/realserver"
	"quadra/conformance/rights"
)

const patience = 90 * time.Second

// place is a kube-apiserver with an account for our controllers.
type place struct {
	*testing.T
	server  *realserver.Server
	folder  string
	account *rights.Account
}

// newPlace starts one, with these feature gates beside those that are on by default.
func newPlace(t *testing.T, gates ...string) *place {
	t.Helper()
	folder := t.TempDir()
	flags, err := rights.Flags(folder)
	if err != nil {
		t.Fatal(err)
	}
	// Compaction, and leases by which servers find each other, are writes that no client sees.
	server, err := realserver.Start(folder, append(flags, "--etcd-compaction-interval=0",
		"--feature-gates="+strings.Join(append(gates, "UnknownVersionInteroperabilityProxy=false"), ","))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	account, err := rights.Grant(server, folder, "controller")
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t, server, folder, account}
	t.Cleanup(func() {
		if t.Failed() { // that may be why
			p.expectRights("controller", account)
		}
	})
	return p
}

// startControllers has all of ours work until the test ends.
func (p *place) startControllers(flags ...string) {
	p.Helper()
	controllers, err := ourserver.StartControllers(p.folder, "quadra", p.account.Kubeconfig, flags...)
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() {
		controllers.Stop()
		if text, _ := os.ReadFile(controllers.Log); p.Failed() {
			p.Logf("the controllers said:\n%s", text[max(0, len(text)-3000):])
		}
	})
}

// expectRights fails where an account was refused something, and returns those of its rights that it did not need.
func (p *place) expectRights(role string, account *rights.Account) (unused []string) {
	p.Helper()
	seen, err := account.Read(p.folder)
	if err != nil {
		p.Fatal(err)
	}
	if seen.Requests == 0 {
		p.Errorf("%s asked for nothing", role)
	}
	for _, each := range seen.Refused {
		p.Errorf("%s was refused: %s", role, each)
	}
	fmt.Printf("cluster: %s asked %d times, and was refused %d rights\n", role, seen.Requests, len(seen.Refused))
	return seen.Unused
}

// TestSuite plays what our own server is tried with.
func TestSuite(t *testing.T) {
	t.Parallel()
	_, pods := peer.Drawn(5000)
	p := newPlace(t)
	play(t, "--kubeconfig", p.server.Kubeconfig, "--identity", p.account.Kubeconfig, "--pods", fmt.Sprint(pods), "--rest", rest())
	unused := p.expectRights("controller", p.account)
	fmt.Printf("cluster: rights of which the suite had no need: %s\n", strings.Join(unused, ", "))
}

// TestRest has our own server rest for as long.
func TestRest(t *testing.T) {
	t.Parallel()
	play(t, "--only", "templates", "--rest", rest())
}

// rest is for how many seconds nothing may be written: a minute, or half of one where only a part is asked.
func rest() string {
	if _, seconds := peer.Drawn(60); seconds < 60 {
		return "30"
	}
	return "60"
}

// TestScheduling has two of our schedulers give away the same devices, with no more rights than they need.
func TestScheduling(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	account, err := rights.Grant(p.server, p.folder, "scheduler")
	if err != nil {
		t.Fatal(err)
	}
	playScript(t, "scheduling.py", "--kubeconfig", p.server.Kubeconfig, "--identity", "controller="+p.account.Kubeconfig,
		"--identity", "scheduler="+account.Kubeconfig)
	p.expectRights("controller", p.account)
	unused := p.expectRights("scheduler", account)
	fmt.Printf("cluster: rights of which scheduling had no need: %s\n", strings.Join(unused, ", "))
}

// gatesOfExamples are the sets of feature gates that examples need; the others are on by default.
var gatesOfExamples = [][]string{nil, {"DRANodeAllocatableResources=true"}}

// TestExamples has our scheduler and controllers do what the design documents say by example.
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, gates := range gatesOfExamples {
		p := newPlace(t, gates...)
		account, err := rights.Grant(p.server, p.folder, "scheduler")
		if err != nil {
			t.Fatal(err)
		}
		playScript(t, "examples.py", "--kubeconfig", p.server.Kubeconfig, "--feature-gates="+strings.Join(gates, ","),
			"--identity", "controller="+p.account.Kubeconfig, "--identity", "scheduler="+account.Kubeconfig)
		p.expectRights("controller", p.account)
		p.expectRights("scheduler", account)
	}
}

// TestExamplesByOthers has kube-scheduler do it: what the examples expect of ours must not be our own idea.
func TestExamplesByOthers(t *testing.T) {
	t.Parallel()
	for _, gates := range gatesOfExamples {
		p := newPlace(t, gates...)
		p.startControllers("--node-monitor-grace-period=3600") // no kubelet gives signs of life
		p.startScheduler("--feature-gates=" + strings.Join(gates, ","))
		playScript(t, "examples.py", "--foreign", "--kubeconfig", p.server.Kubeconfig, "--feature-gates="+strings.Join(gates, ","))
	}
}

func play(t *testing.T, flags ...string) {
	t.Helper()
	playScript(t, "controllers.py", flags...)
}

func playScript(t *testing.T, name string, flags ...string) {
	t.Helper()
	script := filepath.Join(filepath.Dir(ourserver.Program()), "..", "tests", "server", name)
	said, err := exec.Command("python3", append([]string{script, "--quadra", ourserver.Program()}, flags...)...).CombinedOutput()
	if err != nil {
		t.Errorf("%s %s: %v\n%s", script, strings.Join(flags, " "), err, said)
		return
	}
	for line := range strings.Lines(string(said)) {
		if strings.HasPrefix(line, "passed: ") {
			fmt.Print("cluster: ", line)
		}
	}
}
