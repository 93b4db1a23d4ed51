package compile

import (
	"testing"

	"quadra/conformance/expression"
	"quadra/conformance/peer"
)

// TestCompile compares how quadra and cel-go read expressions: the checked tree with positions, types, references and
// overloads, the text of every type error, and the place of the first syntax error.
func TestCompile(t *testing.T) {
	seeds, err := expression.Harvest(func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	peer.Comparison{
		Name: "compile", Module: "cel-go-v0.29.2", Default: 200_000, Recorded: 0,
		Ask: Ask(NewStream(append(seeds, expression.Seeds...))), Answer: Answer, Reduce: Reduce,
		Sample: Ask(NewStream(expression.Seeds)),
	}.Run(t)
}
