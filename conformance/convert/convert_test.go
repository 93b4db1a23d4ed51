// Compares conversion between the versions of resource.k8s.io with Go's scheme, byte by byte.
package convert

import (
	"testing"

	"quadra/conformance/generate"
	"quadra/conformance/peer"
	"quadra/conformance/upstream"
)

func TestConvert(t *testing.T) {
	peer.Comparison{
		Name: "convert", Module: "kubernetes-v1.37.1", Default: 20000, Recorded: 250,
		Ask: generate.Asking((*generate.Source).ConversionQuestion), Answer: upstream.Convert,
	}.Run(t)
}
