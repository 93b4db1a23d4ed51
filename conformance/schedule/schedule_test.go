package schedule

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"quadra/conformance/allocate"
	"quadra/conformance/peer"
)

// run counts what upstream said.
type run struct {
	scheduler *scheduler
	worlds    int
	rejects   map[string]int // worlds, by plugin
	words     map[string]int // worlds, by plugin and reason
	scores    map[string]int // worlds in which nodes differ, by plugin
}

func newRun() *run {
	return &run{scheduler: newScheduler(), rejects: map[string]int{}, words: map[string]int{}, scores: map[string]int{}}
}

// ask draws one question of four about devices.
func (r *run) ask(random *rand.Rand, i int) any {
	if i%4 == 3 {
		return DrawDevices(random)
	}
	return Draw(random)
}

func (r *run) answer(question []byte) any {
	answer, err := r.reply(question)
	if err != nil {
		return map[string]string{"error": err.Error()}
	}
	r.worlds++
	plugins, words := answer.rejecters()
	for _, plugin := range plugins {
		r.rejects[plugin]++
	}
	for _, word := range words {
		r.words[word]++
	}
	for _, plugin := range answer.deciders() {
		r.scores[plugin]++
	}
	return answer
}

func (r *run) reply(question []byte) (*Answer, error) {
	world, err := Read(question)
	if err != nil {
		return nil, err
	}
	return r.scheduler.Reply(world)
}

// outcome is nothing, of a world that may be met.
func (r *run) outcome(question []byte) (string, error) {
	world, err := Read(question)
	if err != nil {
		return "", err
	}
	if len(world.Nodes) == 0 || world.Pod == nil || len(world.Pod.Spec.Containers) == 0 || world.refersToMissing() {
		return "", errNothing
	}
	_, err = r.scheduler.Reply(world)
	return "", err
}

func (r *run) shrink(question []byte, differs func(question []byte) bool) []byte {
	return allocate.ShrinkKeeping(r.outcome, question, differs)
}

// rejecting are the plugins that must refuse something in one of twenty worlds at least, preferring those of which scores must differ
// as often.
var (
	rejecting = []string{"NodeUnschedulable", "TaintToleration", "NodeAffinity", "NodePorts", "NodeResourcesFit", "PodTopologySpread", "InterPodAffinity",
		"NodeName", "NodeDeclaredFeatures", "DynamicResources"}
	preferring = []string{"TaintToleration", "NodeAffinity", "NodeResourcesFit", "PodTopologySpread", "InterPodAffinity", "NodeResourcesBalancedAllocation", "ImageLocality"}
)

const (
	enough = 1000 // worlds for all plugins to be heard
	least  = 20   // one in so many
)

// report prints what upstream said, and fails where the worlds were too much alike.
func (r *run) report(t *testing.T) {
	for _, counts := range []map[string]int{r.rejects, r.words, r.scores} {
		for _, word := range slices.Sorted(maps.Keys(counts)) {
			fmt.Printf("schedule: %6d %s\n", counts[word], word)
		}
	}
	for _, each := range []struct {
		plugins []string
		counts  map[string]int
		what    string
	}{{rejecting, r.rejects, "refuses something"}, {preferring, r.scores, "prefers a node"}} {
		for _, plugin := range each.plugins {
			if r.worlds >= enough && each.counts[plugin]*least < r.worlds {
				t.Errorf("schedule: %s %s in only %d of %d worlds", plugin, each.what, each.counts[plugin], r.worlds)
			}
		}
	}
}

var plain = regexp.MustCompile(`\{"plugin":"\w+","code":"Success"\},?`)

func reduce(_, ours []byte) []byte {
	return bytes.ReplaceAll(plain.ReplaceAll(ours, nil), []byte("},]"), []byte("}]"))
}

func TestSchedule(t *testing.T) {
	r := newRun()
	peer.Comparison{
		Name: "schedule", Module: "kubernetes-v1.37.1", Default: 20_000, Command: []string{"quadra", "schedule", "--stream"},
		Ask: r.ask, Answer: r.answer, Shrink: r.shrink, Reduce: reduce,
	}.Run(t)
	r.report(t)
}
