package controllers

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"quadra/conformance/mirror"
)

const (
	// rest is how long both sides must have shown the same, unchanged.
	rest = 600 * time.Millisecond
	// pause is how long to wait before looking again.
	pause = 50 * time.Millisecond
	// patience is how long they may take to come to the same, unless an event says otherwise.
	patience = 25 * time.Second
)

// pair is one sequence on both sides.
type pair struct {
	upstream, ours *scene
}

// play has the event happen on both sides and waits until they rest; it says how they differ, if they do.
func (p *pair) play(ctx context.Context, what *event) string {
	left, right := p.both(func(s *scene) string { return outcome(what.do(ctx, s)) })
	if left != right {
		return fmt.Sprintf("the server answered\nupstream: %s\nours:     %s", left, right)
	}
	return p.settle(what, max(what.patience, patience))
}

func outcome(err error) string {
	if err == nil {
		return "done"
	}
	return mirror.NormalText(err.Error())
}

func (p *pair) both(ask func(*scene) string) (left, right string) {
	var running sync.WaitGroup
	running.Go(func() { left = ask(p.upstream) })
	running.Go(func() { right = ask(p.ours) })
	running.Wait()
	return left, right
}

// settle waits until what the event comes to has happened on both sides, both show the same and nothing has changed for a while.
func (p *pair) settle(what *event, most time.Duration) string {
	var state, marks [2]string
	since := time.Now()
	for deadline := since.Add(most); time.Now().Before(deadline); time.Sleep(pause) {
		last := marks
		for i, each := range []*scene{p.upstream, p.ours} {
			var err error
			if state[i], marks[i], err = each.look(); err != nil {
				return err.Error()
			}
		}
		if marks != last {
			since = time.Now()
		}
		if state[0] == state[1] && time.Since(since) >= rest && what.cameTo(p.upstream) && what.cameTo(p.ours) {
			return ""
		}
	}
	if !what.cameTo(p.upstream) || !what.cameTo(p.ours) {
		return fmt.Sprintf("what is waited for has not come: %v upstream, %v ours", what.cameTo(p.upstream), what.cameTo(p.ours))
	}
	if state[0] == state[1] {
		return "objects are the same but go on changing\n" + p.restless(marks)
	}
	return mirror.Difference(state[0], state[1])
}

func (p *pair) restless(marks [2]string) string {
	return "upstream: " + marks[0] + "\nours:     " + marks[1]
}

func lines(texts []string) string { return "  " + strings.Join(texts, "\n  ") }
