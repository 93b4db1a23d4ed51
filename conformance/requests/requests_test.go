// Package requests sends the same HTTP requests to our server and to kube-apiserver: those of the catalogue of refusals, and
// malformed ones from a seed. Status code, reason and causes must be equal; with -words the messages too.
package requests

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"quadra/conformance/generate"
	"quadra/conformance/ourserver"
	"quadra/conformance/peer"
	"quadra/conformance/realserver"
)

// standard is how many requests are drawn.
const standard = 5000

var words = flag.Bool("words", false, "messages must be equal, too")

func TestRequests(t *testing.T) {
	c := &comparison{t: t, real: startReal(t), ours: startOurs(t)}
	c.restore()
	for _, each := range catalogue() {
		c.compare(each)
	}
	seed, n := peer.Drawn(standard)
	maker := maker{&generate.Source{Rand: rand.New(rand.NewPCG(seed, 0))}}
	for i := 0; i < n && !c.full(); i++ {
		c.compare(maker.draw())
	}
	if !peer.Recording() {
		c.checkRecording(t)
	} else if err := c.writeRecording(); err != nil {
		t.Error(err)
	}
	fmt.Printf("requests: seed %d, %d requests, %d refused, %d differences; %d messages differ, %d rules of core kinds are not checked yet, upstream fails %d times\n",
		seed, c.asked, c.refused, c.differences, c.otherWords, c.unchecked, c.faults)
}

func startReal(t *testing.T) server {
	t.Helper()
	running, err := realserver.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(running.Stop)
	return server{url: running.URL, client: running.Client}
}

func startOurs(t *testing.T) server {
	t.Helper()
	running, err := ourserver.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(running.Stop)
	return server{url: running.URL, client: running.Client}
}

type comparison struct {
	t                                                          *testing.T
	real, ours                                                 server
	asked, refused, differences, otherWords, unchecked, faults int
	kept                                                       []line // for the recording
}

func (c *comparison) full() bool { return c.differences >= peer.Most() }

func (c *comparison) restore() {
	for _, each := range []server{c.real, c.ours} {
		if err := each.restore(); err != nil {
			c.t.Fatal(err)
		}
	}
}

func (c *comparison) compare(r request) {
	var real, ours answer
	var realError, ourError error
	var both sync.WaitGroup
	both.Go(func() { real, realError = c.real.ask(r) })
	both.Go(func() { ours, ourError = c.ours.ask(r) })
	both.Wait()
	if realError != nil && ourError != nil {
		return // no client can send it
	}
	c.count(real, ours)
	if r.unchecked(real, ours) {
		c.unchecked++
	} else if isFault(real, ours) || realError != nil && ours.Code >= 400 {
		c.faults++
	} else if realError != nil || ourError != nil || !real.equals(ours) || *words && real.Message != ours.Message {
		c.differences++
		c.t.Errorf("%v\nupstream: %+v %v\nours:     %+v %v", r, real, realError, ours, ourError)
	} else {
		c.keep(r, real)
	}
	if r.writes() && (real.Code < 300 || ours.Code < 300) {
		c.restore()
	}
}

func (c *comparison) count(real, ours answer) {
	c.asked++
	if real.Code >= 400 {
		c.refused++
	}
	if real.Message != ours.Message {
		c.otherWords++
	}
}
