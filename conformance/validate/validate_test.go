// Compares what quadra says about objects of resource.k8s.io with what the API server's code says.
package validate

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quadra/conformance/generate"
	"quadra/conformance/peer"
	"quadra/conformance/upstream"
)

func ask(random *rand.Rand, _ int) any {
	source := &generate.Source{Rand: random}
	if source.Chance(0.01) {
		return source.OddQuestion()
	}
	return source.ResourceQuestion()
}

func asText(t *testing.T, question any) []byte {
	if text, ok := question.(json.RawMessage); ok {
		return text // not always JSON
	}
	text, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestValidate(t *testing.T) {
	peer.Comparison{
		Name: "validate", Module: "kubernetes-v1.37.1", Default: 100000, Recorded: 390,
		Ask: ask, Answer: upstream.Compared, Reduce: reduce, Sample: sample,
	}.Run(t)
}

// syntax finds the place in upstream's words about an expression that cannot be read; those words are its own.
var syntax = regexp.MustCompile(`ERROR: <input>:\d+:\d+: Syntax error`)

// reduce takes upstream's words for ours where both refuse an expression for its syntax at the same place.
func reduce(theirs, ours []byte) []byte {
	var want, have upstream.Verdict
	if json.Unmarshal(theirs, &want) != nil || json.Unmarshal(ours, &have) != nil || len(want.Errors) != len(have.Errors) {
		return ours
	}
	for i, refused := range want.Errors {
		at := syntax.FindStringIndex(refused.Message)
		if at == nil {
			continue
		}
		place := refused.Message[:at[1]-len("Syntax error")]
		if strings.HasPrefix(have.Errors[i].Message, place) {
			have.Errors[i].Message = refused.Message
		}
	}
	text, err := json.Marshal(have)
	if err != nil {
		return ours
	}
	return text
}

// sample has no expressions that cannot be read: the recorded words are upstream's.
func sample(random *rand.Rand, i int) any {
	for {
		question := ask(random, i)
		text, err := json.Marshal(question)
		if err != nil {
			return question
		}
		if answer, err := json.Marshal(upstream.Compared(text)); err != nil || !bytes.Contains(answer, []byte("Syntax error")) {
			return question
		}
	}
}

var list = flag.Bool("list", false, "list the kinds of answers the questions reach")

// TestBreadth fails when the questions no longer reach the kinds of errors they once did.
func TestBreadth(t *testing.T) {
	const questions, expected = 10000, 1000
	shapes := map[string]int{}
	random := rand.New(rand.NewPCG(1, 0))
	for i := range questions {
		question := asText(t, ask(random, i))
		for _, shape := range upstream.Shapes(question, upstream.Answer(question)) {
			shapes[shape]++
		}
	}
	if *list {
		for _, shape := range slices.Sorted(maps.Keys(shapes)) {
			fmt.Printf("%6d %s\n", shapes[shape], shape)
		}
	}
	fmt.Printf("validate: %d questions reach %d kinds of answers\n", questions, len(shapes))
	if len(shapes) < expected {
		t.Errorf("%d questions reach only %d kinds of answers, once there were %d", questions, len(shapes), expected)
	}
}
