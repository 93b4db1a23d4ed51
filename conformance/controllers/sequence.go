package controllers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"quadra/conformance/dice"
)

// event is something that users, schedulers and kubelets do, the same on both sides.
type event struct {
	what     string        // for people
	patience time.Duration // how long controllers may take, where that is more than usual
	do       func(context.Context, *scene) error
	until    func(*scene) bool // nil: nobody waits before controllers do anything; else what will be when they have
}

func (e *event) cameTo(at *scene) bool { return e.until == nil || e.until(at) }

// sequence draws events, and remembers what it made so that it can go on with it. Whether controllers took something away
// again it does not know: what is gone is answered the same on both sides.
type sequence struct {
	dice.Dice
	number    int
	namespace string

	left    int // events before the end
	ending  []*event
	made    int // serial number of names
	pods    []*pod
	claims  []string        // made by users
	plans   []string        // templates of claims
	maps    []string        // ConfigMaps, the objects that own each other
	held    []string        // maps with a finalizer of nobody
	sets    []string        // ReplicaSets
	budgets map[string]bool // by the application whose pods they count
	tainted map[string]bool // nodes
	lost    map[string]bool // nodes that are well no longer
	pool    bool            // whether there are devices
	rules   []string
}

// pod is what was said when it was made.
type pod struct {
	name      string
	claims    int // how many
	scheduled bool
	deleted   bool
}

// kind is a sort of event; draw is nil where it cannot be now.
type kind struct {
	weight int
	draw   func(*sequence) *event
}

func kinds() []kind {
	return concat(podKinds(), claimKinds(), ownerKinds(), nodeKinds(), deviceKinds(), workloadKinds(), accountKinds())
}

func concat(parts ...[]kind) (all []kind) {
	for _, each := range parts {
		all = append(all, each...)
	}
	return all
}

func newSequence(seed uint64, number int) *sequence {
	return &sequence{
		Dice:      dice.Dice{Rand: rand.New(rand.NewPCG(seed, uint64(number)))},
		number:    number,
		namespace: fmt.Sprintf("seq-%d-%d", seed, number),
		left:      *events,
		tainted:   map[string]bool{},
		budgets:   map[string]bool{},
		lost:      map[string]bool{},
	}
}

// first makes the namespace and two nodes.
func (s *sequence) first() *event {
	return &event{what: "enter " + s.namespace, do: enter}
}

// next is nil after the last.
func (s *sequence) next() *event {
	if s.left > 0 {
		s.left--
		return s.draw()
	}
	if s.ending == nil {
		s.ending = s.end()
	}
	if len(s.ending) == 0 {
		return nil
	}
	each := s.ending[0]
	s.ending = s.ending[1:]
	return each
}

func (s *sequence) draw() *event {
	all := kinds()
	sum := 0
	for _, each := range all {
		sum += each.weight
	}
	for {
		at := s.IntN(sum)
		for _, each := range all {
			if at -= each.weight; at < 0 {
				if drawn := each.draw(s); drawn != nil {
					return drawn
				}
				break
			}
		}
	}
}

// end deletes the namespace, as it is or tidied up before, and everything else.
func (s *sequence) end() (all []*event) {
	if s.Chance(50) {
		all = append(all, letGo())
	}
	return append(all,
		&event{what: "delete the namespace", patience: time.Minute, do: deleteNamespace},
		&event{what: "let go of all that is left", patience: time.Minute, do: empty},
		&event{what: "delete nodes, devices and rules", do: leave},
		&event{what: "see that nothing is left", do: nothingLeft})
}

func (s *sequence) name(prefix string) string {
	s.made++
	return fmt.Sprintf("%s-%d", prefix, s.made)
}

func (s *sequence) node() string { return s.namespace + dice.Pick(s, "-a", "-b") }

func pick[T any](s *sequence, from []T) (chosen T, ok bool) {
	if len(from) == 0 {
		return chosen, false
	}
	return from[s.IntN(len(from))], true
}

// pickPod is one of the pods that are as wanted and that the sequence has not deleted.
func (s *sequence) pickPod(wanted func(*pod) bool) *pod {
	var some []*pod
	for _, each := range s.pods {
		if !each.deleted && wanted(each) {
			some = append(some, each)
		}
	}
	chosen, _ := pick(s, some)
	return chosen
}
