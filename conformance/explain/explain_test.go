package explain

import (
	"cmp"
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
	words := slices.Sorted(maps.Values(r.scheduler.Reply(world).Nodes))
	return strings.Join(slices.Compact(words), "|"), nil
}

func (r *run) shrink(question []byte, differs func(question []byte) bool) []byte {
	return allocate.ShrinkKeeping(r.outcome, question, differs)
}

func (r *run) report() {
	words := []string{}
	for word := range r.verdicts {
		words = append(words, word)
	}
	slices.Sort(words)
	for _, word := range words {
		fmt.Printf("explain: %6d %s\n", r.verdicts[word], cmp.Or(word, "the node takes it"))
	}
}

func TestExplain(t *testing.T) {
	r := newRun(t)
	peer.Comparison{
		Name: "explain", Module: "kubernetes-v1.37.1", Default: 20_000, Recorded: 0,
		Ask: r.ask, Answer: r.answer, Shrink: r.shrink,
	}.Run(t)
	r.report()
}
