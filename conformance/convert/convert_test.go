// Compares conversion between the versions of resource.k8s.io with Go's scheme, byte by byte.
package convert

import (
	"math/rand/v2"
	"testing"

	"quadra/conformance/generate"
	"quadra/conformance/peer"
	"quadra/conformance/upstream"
)

func TestConvert(t *testing.T) {
	peer.Comparison{
		Name: "convert", Module: "kubernetes-v1.37.1", Default: 20000, Recorded: 250,
		Ask: func(random *rand.Rand, _ int) any {
			source := &generate.Source{Rand: random}
			return source.ConversionQuestion()
		},
		Answer: upstream.Convert,
	}.Run(t)
}
