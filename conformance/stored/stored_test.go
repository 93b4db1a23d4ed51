// Compares what would be stored after a write of an object of resource.k8s.io, in any version, byte by byte: defaults, dropped
// fields, kept halves, generations.
package stored

import (
	"testing"

	"quadra/conformance/generate"
	"quadra/conformance/peer"
	"quadra/conformance/upstream"
)

func TestStored(t *testing.T) {
	peer.Comparison{
		Name: "stored", Module: "kubernetes-v1.37.1", Default: 50000, Recorded: 300,
		Ask: generate.Asking((*generate.Source).ResourceQuestion), Answer: upstream.Stored,
	}.Run(t)
}
