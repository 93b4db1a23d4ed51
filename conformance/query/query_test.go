// Compares what the query of a list says: label selectors, field selectors and continue tokens, and upstream's words about
// those that say nothing.
package query

import (
	"math/rand/v2"
	"testing"

	"quadra/conformance/dice"
	"quadra/conformance/peer"
)

func TestQuery(t *testing.T) {
	peer.Comparison{
		Name: "query", Module: "apimachinery-v0.37.1", Default: 100_000, Recorded: 1_000,
		Ask: func(random *rand.Rand, i int) any {
			g := generator{dice.Dice{Rand: random}}
			return []func() question{g.labels, g.fields, g.token, g.next}[i%4]()
		},
		Answer: reply,
	}.Run(t)
}
