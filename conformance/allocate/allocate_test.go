package allocate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"

	"quadra/conformance/peer"
)

// run draws questions and counts what they are about.
type run struct {
	t                   *testing.T
	answers             map[string]Answer // of the questions drawn and not yet asked
	worlds, odd         int
	tooLong, panics     int
	results, uses, text map[string]int
	mixtures            int
	steps, searched     int
}

// manySteps is what a world takes that needs a search.
const manySteps = 100

func newRun(t *testing.T) *run {
	return &run{t: t, answers: map[string]Answer{}, results: map[string]int{}, uses: map[string]int{}, text: map[string]int{}}
}

var oddQuestions = []string{`{"node":"n"}`, `{"node":"n","objects":[]}`, `{`, `[]`, `{"node":1,"objects":[]}`,
	`{"node":"n","objects":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}}],"featureGates":{"Unknown":true}}`,
	`{"node":"n","objects":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"m"}}]}`}

func (r *run) ask(random *rand.Rand, _ int) any {
	if random.IntN(2000) == 0 {
		r.odd++
		return []byte(oddQuestions[random.IntN(len(oddQuestions))])
	}
	return r.world(NewSource(random, false))
}

// world draws worlds until upstream answers one in time.
func (r *run) world(source *Source) []byte {
	for {
		question, err := json.Marshal(source.World())
		if err != nil {
			r.t.Fatal(err)
		}
		answer, world, err := reply(question)
		switch {
		case err == nil:
			r.note(question, answer, world)
			return question
		case errors.Is(err, ErrTooLong):
			r.tooLong++
		default:
			r.panics++
		}
	}
}

func (r *run) note(question []byte, answer Answer, world *World) {
	r.answers[string(question)] = answer
	r.worlds++
	result := answer.Result
	if answer.Fatal != nil && !*answer.Fatal {
		result = "error of the node"
	}
	r.results[result]++
	r.steps += world.Steps
	if world.Steps > manySteps {
		r.searched++
	}
	used := sorted(world.Used().Set())
	for _, feature := range used {
		r.uses[feature]++
	}
	if len(used) > 1 {
		r.mixtures++
	}
}

func sorted[V any](set map[string]V) []string {
	names := []string{}
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// answer is upstream's. Each drawn question is answered once.
func (r *run) answer(question []byte) any {
	if known, found := r.answers[string(question)]; found {
		delete(r.answers, string(question))
		return known
	}
	return Compared(question)
}

// reduce also counts messages that are not upstream's to the letter, and shows the first of each kind.
func (r *run) reduce(upstream, ours []byte) []byte {
	var theirs, answer Answer
	if json.Unmarshal(upstream, &theirs) != nil || json.Unmarshal(ours, &answer) != nil || theirs.Fatal == nil || answer.Fatal == nil {
		return Reduced(upstream, ours)
	}
	if class := kind(theirs.Message); answer.Message != theirs.Message && Class(answer.Message) == Class(theirs.Message) {
		if r.text[class]++; r.text[class] == 1 {
			fmt.Printf("allocate: other words:\n  upstream: %.300s\n  ours:     %.300s\n", theirs.Message, answer.Message)
		}
	}
	return Reduced(upstream, ours)
}

func (r *run) percent(count int) float64 { return 100 * float64(count) / float64(max(r.worlds, 1)) }

// report prints what the worlds were about, and fails where they were too much alike.
func (r *run) report() {
	fmt.Printf("allocate: %d worlds, %d lines that are none; replaced: %d (%.2f %%) too long for upstream, %d on which it panics\n",
		r.worlds, r.odd, r.tooLong, r.percent(r.tooLong), r.panics)
	for _, result := range sorted(r.results) {
		fmt.Printf("allocate: %5.1f %% %s\n", r.percent(r.results[result]), result)
	}
	fmt.Printf("allocate: %5.1f %% with more than one feature\n", r.percent(r.mixtures))
	for _, feature := range sorted(r.uses) {
		fmt.Printf("allocate: %5.1f %% use %s\n", r.percent(r.uses[feature]), feature)
	}
	fmt.Printf("allocate: %.0f steps of upstream a world; %.1f %% take more than %d\n", float64(r.steps)/float64(max(r.worlds, 1)), r.percent(r.searched), manySteps)
	words := 0
	for _, count := range r.text {
		words += count
	}
	fmt.Printf("allocate: %d errors in other words than upstream's, of %d kinds\n", words, len(r.text))
	r.demand()
}

const (
	leastAllocated, leastUnavailable, leastFeature, leastMixed, mostTooLong = 35, 25, 5, 40, 2
	allFeatures, enough                                                     = 11, 2000 // worlds for shares to mean something
)

func (r *run) demand() {
	if r.worlds < enough {
		return
	}
	demand := func(holds bool, what string, share float64) {
		if !holds {
			r.t.Errorf("allocate: %.1f %% of the worlds %s", share, what)
		}
	}
	atLeast := func(count int, least float64, what string) { demand(r.percent(count) >= least, what, r.percent(count)) }
	atLeast(r.results["allocated"], leastAllocated, "are allocated")
	atLeast(r.results["unavailable"], leastUnavailable, "are unavailable")
	atLeast(r.mixtures, leastMixed, "use several features")
	demand(r.percent(r.tooLong) <= mostTooLong, "take upstream too long", r.percent(r.tooLong))
	if len(r.uses) != allFeatures {
		r.t.Errorf("allocate: %d features are used, not %d", len(r.uses), allFeatures)
	}
	for feature, count := range r.uses {
		atLeast(count, leastFeature, "use "+feature)
	}
}

// sample draws small worlds, without errors whose words need not be upstream's.
func (r *run) sample(random *rand.Rand, i int) any {
	longest := 1150
	if i%4 == 0 {
		longest = 2000 // room for counters
	}
	for {
		question := r.world(NewSource(random, true))
		answer := r.answers[string(question)]
		counted := bytes.Contains(question, []byte(`"consumesCounters"`))
		if len(question) <= longest && counted == (i%4 == 0) && Class(answer.Message) == answer.Message {
			return question
		}
		delete(r.answers, string(question))
	}
}

func TestAllocate(t *testing.T) {
	r, small := newRun(t), newRun(t)
	peer.Comparison{
		Name: "allocate", Module: "dynamic-resource-allocation-v0.37.1", Default: 200_000, Recorded: 1750, Sample: small.sample,
		Ask: r.ask, Answer: r.answer, Reduce: r.reduce, Shrink: Shrink,
		Command: []string{"quadra", "allocate", "--stream", "--strict"},
	}.Run(t)
	r.report()
}

// TestBreadth fails when the worlds are no longer about what they once were.
func TestBreadth(t *testing.T) {
	r := newRun(t)
	random := rand.New(rand.NewPCG(1, 0))
	for range 5000 {
		r.answer(r.world(NewSource(random, false)))
	}
	r.report()
}

func init() { debug.SetGCPercent(400) } // decoding makes much garbage
