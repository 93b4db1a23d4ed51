package explain

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quadra/conformance/allocate"
	"quadra/conformance/peer"
)

// run counts what upstream said.
type run struct {
	scheduler *scheduler
	worlds    int
	verdicts  map[string]int // by words, of all nodes
}

func newRun(t *testing.T) *run {
	scheduler, err := newScheduler()
	if err != nil {
		t.Fatal(err)
	}
	return &run{scheduler: scheduler, verdicts: map[string]int{}}
}

func (r *run) ask(random *rand.Rand, _ int) any { return Draw(random) }

func (r *run) answer(question []byte) any {
	world, err := Read(question)
	if err != nil {
		return map[string]string{"error": err.Error()}
	}
	answer := r.scheduler.Reply(world)
	r.worlds++
	if answer.Waits {
		r.verdicts["the pod waits"]++
	}
	for _, verdict := range answer.Nodes {
		for _, word := range strings.Split(verdict, ", ") {
			r.verdicts[word]++
		}
	}
	return answer
}

// outcome is what upstream's nodes say, of a world that may be met.
func (r *run) outcome(question []byte) (string, error) {
	world, err := Read(question)
	if err != nil {
		return "", err
	}
	if len(world.Nodes) == 0 || len(world.Pod.Spec.ResourceClaims) == 0 {
		return "", errors.New("there is nothing to ask")
	}
	for _, node := range world.Nodes {
		if len(node.Status.Allocatable) < len(native) {
			return "", errors.New("a node does not say what it has")
		}
	}
	said := slices.Sorted(maps.Values(r.scheduler.Reply(world).Nodes))
	return strings.Join(slices.Compact(said), "|"), nil
}

func (r *run) shrink(question []byte, differs func(question []byte) bool) []byte {
	return allocate.ShrinkKeeping(r.outcome, question, differs)
}

// words are what every run must hear from upstream's nodes.
var words = []string{"", failed, "devices", "the pod waits", "node(s) were unschedulable", "node(s) had untolerated taint(s)",
	"node(s) didn't match Pod's node affinity/selector", "node(s) didn't have free ports for the requested pod ports", "Too many pods",
	"Insufficient cpu", "Insufficient memory", "Insufficient ephemeral-storage", "Insufficient " + plugged, "Insufficient " + hugePages}

const enough = 20000 // worlds for every word to be heard

// report prints what upstream said, and fails where the worlds were too much alike.
func (r *run) report(t *testing.T) {
	for _, word := range words {
		fmt.Printf("explain: %6d %s\n", r.verdicts[word], cmp.Or(word, "the node takes it"))
		if r.worlds >= enough && r.verdicts[word] == 0 {
			t.Errorf("explain: no node says %q", word)
		}
	}
}

// sample draws small worlds.
func (r *run) sample(random *rand.Rand, _ int) any {
	for {
		question, err := json.Marshal(Draw(random))
		if err == nil && len(question) < 3500 {
			return question
		}
	}
}

func TestExplain(t *testing.T) {
	r := newRun(t)
	peer.Comparison{
		Name: "explain", Module: "kubernetes-v1.37.1", Default: 20_000, Recorded: 400, Sample: r.sample,
		Ask: r.ask, Answer: r.answer, Shrink: r.shrink,
	}.Run(t)
	r.report(t)
}
