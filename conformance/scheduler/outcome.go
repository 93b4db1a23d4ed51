package scheduler

import (
	"fmt"
	"slices"
	"strings"

	"quadra/conformance/mirror"
)

// outcome is what there was after an event.
type outcome struct {
	said    string   // by the server
	objects string   // pods and claims
	told    []string // of pods, in events
	why     []string // as an event, what conditions said by then of pods that were refused
}

func (s *scene) look() (outcome, error) {
	var trees []map[string]any
	for _, each := range s.objects() {
		tree, err := each.Tree()
		if err != nil {
			return outcome{}, err
		}
		trees = append(trees, tree)
	}
	for _, each := range s.pods() {
		if condition := refusal(each); condition != nil {
			s.why = append(s.why, fmt.Sprintf("default-scheduler told of Pod %s: Warning FailedScheduling %s", each.Name, condition.Message))
		}
	}
	return outcome{objects: s.world.plain(mirror.Normal(trees, nil)), told: s.normalLines(lasting(s.told())), why: s.normalLines(s.why)}, nil
}

// lasting leaves out what pods were told of a claim while another pod's allocation of it was being written: who tries in these
// milliseconds is chance on both sides. What their conditions say in the end is compared.
func lasting(told []string) []string {
	return slices.DeleteFunc(told, func(each string) bool { return strings.Contains(each, "is in the process of being allocated") })
}

func (s *scene) normalLines(told []string) []string {
	return strings.Split(strings.TrimSpace(s.world.plain(mirror.Normal(nil, told))), "\n")
}

// agree tells whether both are the same all the time.
func agree(upstream, ours *story) bool {
	return slices.EqualFunc(upstream.outcomes, ours.outcomes, outcome.agrees)
}

func (o outcome) agrees(ours outcome) bool {
	return o.said == ours.said && o.objects == ours.objects && o.isToldBy(ours.told)
}

// isToldBy tells whether ours told what upstream told. Upstream counts a refusal in other words as the same event as long as the pod
// does not change, and keeps the first words; ours tells both, as docs/deviations.md says: those that upstream has in the condition.
func (o outcome) isToldBy(ours []string) bool {
	for _, each := range o.told {
		if !slices.Contains(ours, each) {
			return false
		}
	}
	return !slices.ContainsFunc(ours, func(each string) bool { return !slices.Contains(o.told, each) && !slices.Contains(o.why, each) })
}

func (o outcome) String() string {
	return fmt.Sprintf("the server answered: %s\n%s\n%s", o.said, strings.Join(o.told, "\n"), o.objects)
}
