// Compares what quadra says about the Dynamic Resource Allocation fields of Pods and pod templates with what the API server's
// code says about them. Which errors count is defined by upstream.Compared.
package pods

import (
	"testing"

	"quadra/conformance/generate"
	"quadra/conformance/peer"
	"quadra/conformance/upstream"
)

func TestPods(t *testing.T) {
	peer.Comparison{
		Name: "pods", Module: "kubernetes-v1.37.1", Default: 20000, Recorded: 500,
		Ask: generate.Asking((*generate.Source).PodQuestion), Answer: upstream.Compared,
	}.Run(t)
}
