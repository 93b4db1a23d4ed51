// Package controllers plays the same events on two kube-apiservers: kube-controller-manager works beside one, `quadra controller`
// beside the other. After every event both must come to the same objects, but for what no two servers have in common (normal.go);
// at the end of a sequence its namespace is deleted and nothing may be left. Ours may not write more often, and have the rights that
// `quadra rbac` prints and no others.
//
// Sequences are drawn from -seed; -n is how many, -sequence plays one of them alone, and prints its events.
package controllers

import (
	"context"
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"quadra/conformance/peer"
)

var (
	alone  = flag.Int("sequence", -1, "play this sequence alone and print its events")
	events = flag.Int("events", 14, "how many events a sequence has before its namespace is deleted")
	atOnce = flag.Int("at-once", 20, "how many sequences are played at the same time")
	twin   = flag.Bool("twin", false, "run kube-controller-manager on both sides, to see what differs between two runs of it")
)

func TestControllers(t *testing.T) {
	seed, count := peer.Whole(60)
	right := runQuadra
	if *twin {
		right = runManager
	}
	c := &comparison{t: t, theirs: startSide(t, "upstream", runManager), ours: startSide(t, "ours", right)}
	defer c.keepAlive()()
	c.play(seed, chosen(count))
	c.compareWrites()
	fmt.Printf("controllers: %d sequences, %d events, %d differences\n", len(chosen(count)), c.events, c.differences)
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

	mutex               sync.Mutex
	events, differences int
}

// play plays the sequences, some at once, until there are enough differences.
func (c *comparison) play(seed uint64, numbers []int) {
	var running sync.WaitGroup
	room := make(chan struct{}, *atOnce)
	for _, number := range numbers {
		room <- struct{}{}
		if c.seen() >= peer.Most() {
			break
		}
		running.Go(func() {
			defer func() { <-room }()
			c.playOne(newSequence(seed, number))
		})
	}
	running.Wait()
}

func (c *comparison) seen() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.differences
}

// playOne stops at the first difference: what follows would follow from it.
func (c *comparison) playOne(s *sequence) {
	pair := &pair{upstream: newScene(c.theirs, s.namespace), ours: newScene(c.ours, s.namespace)}
	var played []string
	for each := s.first(); each != nil; each = s.next() {
		if *alone >= 0 {
			fmt.Fprintf(os.Stderr, "%s %s\n", time.Now().Format("15:04:05.000"), each.what)
		}
		played = append(played, each.what)
		difference := pair.play(c.t.Context(), each)
		c.count(difference != "")
		if difference != "" {
			c.t.Errorf("sequence %d, after %d events:\n%s\n%s", s.number, len(played), lines(played), difference)
			return
		}
	}
}

func (c *comparison) count(different bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.events++
	if different {
		c.differences++
	}
}

// keepAlive renews the leases of all nodes, as their kubelets would; the function it returns ends that.
func (c *comparison) keepAlive() func() {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, each := range []*side{c.theirs, c.ours} {
		running.Go(func() { each.renewLeases(ctx) })
	}
	return func() {
		cancel()
		running.Wait()
	}
}
