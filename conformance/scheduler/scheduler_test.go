// Package scheduler plays the same worlds on two kube-apiservers: kube-scheduler and kube-controller-manager work beside one, `quadra
// scheduler --strict --preempt-devices=false` and `quadra controller` beside the other, with the rights that `quadra rbac` prints. A
// world is nodes, devices, claims and pods, and what happens to them; after every event both sides come to rest, and then pods,
// claims, conditions and what was told of them must be the same, but for what no two servers have in common.
//
// Where scores tie upstream picks a node by chance. A world that differs is played again, a few times: it counts as different if
// what ours came to is never what upstream came to.
//
// Worlds are drawn from -seed; -n is how many, -world plays one of them alone, and prints its events.
package scheduler

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quadra/conformance/mirror"
	"quadra/conformance/peer"
)

var (
	alone  = flag.Int("world", -1, "play this world alone and print its events")
	again  = flag.Int("again", 6, "how often a world that differs is played again")
	twin   = flag.Bool("twin", false, "run kube-scheduler on both sides, to see what differs between two runs of it")
	quiet  = flag.Duration("quiet", 200*time.Millisecond, "for how long nothing may have changed")
	slowly = flag.Int("slowly", 2, "times quiet where a world is played again")
)

func TestScheduler(t *testing.T) {
	seed, count := peer.Whole(80)
	right := runQuadra
	if *twin {
		right = runUpstream
	}
	c := &comparison{t: t, theirs: startSide(t, "upstream", runUpstream), ours: startSide(t, "ours", right), total: newTotal()}
	c.theirs.awaitWork(t)
	c.ours.awaitWork(t)
	for _, number := range chosen(count) {
		if c.differences >= peer.Most() {
			break
		}
		c.compare(seed, number)
	}
	c.report(t)
	fmt.Printf("scheduler: %d worlds were played again, %d of them differed by chance\n", c.replayed, c.replayed-c.differences)
	fmt.Printf("scheduler: %d worlds, %d pods, %d scheduled, %d unschedulable, %d with victims, %d differences\n",
		c.worlds, c.pods, c.scheduled, c.refused, c.victims, c.differences)
}

func chosen(count int) (numbers []int) {
	if *alone >= 0 {
		return []int{*alone}
	}
	for i := range count {
		numbers = append(numbers, i)
	}
	return numbers
}

type comparison struct {
	t            *testing.T
	theirs, ours *side
	total
	replayed, differences int
}

// compare plays the world, and again where it differs.
func (c *comparison) compare(seed uint64, number int) {
	w := draw(seed, number, 0)
	upstream, ours := c.play(w, *quiet)
	c.add(w, &upstream.counts)
	if agree(upstream, ours) {
		return
	}
	c.replayed++
	fmt.Printf("scheduler: world %d is played again: it differs after %s\n", number, firstDifference(w, upstream, ours))
	theirs, mine := []*story{}, []*story{}
	for i := range *again {
		upstream, ours = c.play(draw(seed, number, i+1), time.Duration(*slowly)**quiet)
		theirs, mine = append(theirs, upstream), append(mine, ours)
		if anyEqual(theirs, mine) {
			return
		}
	}
	c.differences++
	c.t.Errorf("world %d: %s", number, describe(w, upstream, ours))
}

func anyEqual(theirs, ours []*story) bool {
	return slices.ContainsFunc(theirs, func(one *story) bool {
		return slices.ContainsFunc(ours, func(other *story) bool { return agree(one, other) })
	})
}

// play plays it on both sides at the same time.
func (c *comparison) play(w *world, quiet time.Duration) (upstream, ours *story) {
	if *alone >= 0 {
		fmt.Fprintf(os.Stderr, "world %s\n", w.name)
		for _, each := range w.setup {
			fmt.Fprintln(os.Stderr, each.what)
		}
	}
	var left, right error
	var running sync.WaitGroup
	running.Go(func() { upstream, left = c.theirs.play(c.t.Context(), w, quiet) })
	running.Go(func() { ours, right = c.ours.play(c.t.Context(), w, quiet) })
	running.Wait()
	if err := errors.Join(left, right); err != nil {
		c.t.Fatalf("world %d: %v", w.number, err)
	}
	return upstream, ours
}

func firstDifference(w *world, upstream, ours *story) string {
	for i, each := range w.events {
		if !upstream.outcomes[i].agrees(ours.outcomes[i]) {
			what, _, _ := strings.Cut(each.what, "{")
			return fmt.Sprintf("event %d of %d: %s", i+1, len(w.events), what)
		}
	}
	return "no event"
}

// describe says what happened up to the first difference: what follows would follow from it.
func describe(w *world, upstream, ours *story) string {
	text := ""
	for _, each := range w.setup {
		text += "  " + each.what + "\n"
	}
	for i, each := range w.events {
		text += "  " + each.what + "\n"
		if !upstream.outcomes[i].agrees(ours.outcomes[i]) {
			return text + mirror.Difference(upstream.outcomes[i].String(), ours.outcomes[i].String())
		}
	}
	return text
}
