package compile

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"testing"

	"quadra/conformance/expression"
	"quadra/conformance/peer"
)

// deviates: protobuf messages cannot be built (docs/deviations.md).
func deviates(asked, _, _ []byte) bool { return message.Match(asked) }

var message = regexp.MustCompile(`google\s*\.\s*protobuf`)

// sample draws questions of our own alone, without those that upstream does not answer.
func sample() func(*rand.Rand, int) any {
	next := Ask(NewStream(expression.Seeds))
	return func(random *rand.Rand, i int) any {
		for {
			asked := next(random, i)
			text, err := json.Marshal(asked)
			if err != nil {
				panic(err)
			}
			if Answer(text) != panicked && !message.Match(text) && len(text) < 500 {
				return asked
			}
		}
	}
}

// TestCompile compares how quadra and cel-go read expressions: the checked tree with positions, types, references and
// overloads, the text of every type error, and the place of the first syntax error.
func TestCompile(t *testing.T) {
	seeds, err := expression.Harvest(func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	peer.Comparison{
		Name: "compile", Module: "cel-go-v0.29.2", Default: 100_000, Recorded: 1_000,
		Ask: Ask(NewStream(append(seeds, expression.Seeds...))), Answer: Answer, Reduce: Reduce, Deviates: deviates,
		Sample: sample(),
	}.Run(t)
}
