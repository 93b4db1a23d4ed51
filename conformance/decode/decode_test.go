// Compares strict decoding: which texts are objects, and which path is to blame where one is not.
package decode

import (
	"math/rand/v2"
	"testing"

	"quadra/conformance/generate"
	"quadra/conformance/peer"
	"quadra/conformance/upstream"
)

func TestDecode(t *testing.T) {
	documents, err := generate.LoadDocuments()
	if err != nil {
		t.Fatal(err)
	}
	peer.Comparison{
		Name: "decode", Module: "api-v0.37.1", Default: 100000, Recorded: 600,
		Ask: func(random *rand.Rand, _ int) any {
			return documents.Question(&generate.Source{Rand: random})
		},
		Answer: upstream.Decode,
	}.Run(t)
}
