package scheduler

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// counts say what worlds are like, by upstream's words.
type counts struct {
	scheduled, refused map[string]bool // names of pods
	victims            bool
	rejecting          map[string]bool // plugins
	features           map[string]bool // of what was given to pods
	held               map[string]bool // names of claims
}

func newCounts() counts {
	return counts{scheduled: map[string]bool{}, refused: map[string]bool{}, rejecting: map[string]bool{}, features: map[string]bool{}, held: map[string]bool{}}
}

// add looks at the world at rest.
func (c *counts) add(at *scene) {
	for _, each := range at.pods() {
		name := each.Namespace + "/" + each.Name
		if each.Spec.NodeName != "" {
			c.scheduled[name] = true
		} else if why := refusal(each); why != nil {
			c.refused[name] = true
			c.blame(why.Reason + ": " + why.Message)
		}
	}
	c.notice(at)
	for _, each := range at.told() {
		c.victims = c.victims || strings.Contains(each, " Preempted ")
		c.blame(each)
	}
}

func (c *counts) blame(text string) {
	for plugin, words := range wordsOf {
		if slices.ContainsFunc(words, func(each string) bool { return strings.Contains(text, each) }) {
			c.rejecting[plugin] = true
		}
	}
}

// wordsOf are those by which a plugin that refuses is known. NodeName has none: pods that name a node are nobody's to schedule.
var wordsOf = map[string][]string{
	"SchedulingGates":      {corev1.PodReasonSchedulingGated},
	"NodeUnschedulable":    {"node(s) were unschedulable"},
	"TaintToleration":      {"node(s) had untolerated taint"},
	"NodeAffinity":         {"node(s) didn't match Pod's node affinity/selector"},
	"NodePorts":            {"node(s) didn't have free ports"},
	"NodeResourcesFit":     {"Insufficient cpu", "Insufficient memory", "Insufficient example.com/gpu", "Too many pods"},
	"PodTopologySpread":    {"node(s) didn't match pod topology spread constraints"},
	"InterPodAffinity":     {"anti-affinity rules", "node(s) didn't match pod affinity rules"},
	"NodeDeclaredFeatures": {"node(s) didn't match Pod's required features"},
	"DynamicResources":     {"cannot allocate all claims", "resourceclaim", "waiting for"},
}

const (
	enough = 60 // worlds for shares to be judged
	least  = 20 // a plugin refuses in one of so many
)

// total is of all worlds.
type total struct {
	worlds, pods, scheduled, refused, victims int
	rejecting, features                       map[string]int // worlds
}

func newTotal() total { return total{rejecting: map[string]int{}, features: map[string]int{}} }

func (t *total) add(w *world, c *counts) {
	t.worlds++
	t.pods += len(w.pods)
	t.scheduled += len(c.scheduled)
	t.refused += len(c.refused)
	if c.victims {
		t.victims++
	}
	for plugin := range c.rejecting {
		t.rejecting[plugin]++
	}
	for feature := range c.features {
		t.features[feature]++
	}
}

// report prints how often each plugin refused, and fails where the worlds were too much alike.
func (t *total) report(test *testing.T) {
	for _, plugin := range slices.Sorted(maps.Keys(wordsOf)) {
		fmt.Printf("scheduler: %s refuses something in %d worlds\n", plugin, t.rejecting[plugin])
		if t.worlds >= enough && t.rejecting[plugin]*least < t.worlds {
			test.Errorf("%s refuses something in only %d of %d worlds", plugin, t.rejecting[plugin], t.worlds)
		}
	}
	for _, feature := range given {
		fmt.Printf("scheduler: %s in %d worlds\n", feature, t.features[feature])
		if t.worlds >= enough && t.features[feature] == 0 {
			test.Errorf("%s in none of %d worlds", feature, t.worlds)
		}
	}
	for _, each := range []struct {
		what           string
		have, of, want int // percent
	}{{"pods scheduled", t.scheduled, t.pods, 40}, {"pods refused", t.refused, t.pods, 20}, {"worlds with victims", t.victims, t.worlds, 10}} {
		if t.worlds >= enough && each.have*100 < each.want*each.of {
			test.Errorf("%d of %d %s; at least %d %% are wanted", each.have, each.of, each.what, each.want)
		}
	}
}
