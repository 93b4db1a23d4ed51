// Compares what quadra says about objects of resource.k8s.io with what the API server's code says.
package validate

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
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
		Ask: ask, Answer: upstream.Compared,
	}.Run(t)
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
