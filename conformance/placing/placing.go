// Package placing draws what decides where pods go: what nodes have, and what pods ask of nodes and of other pods.
package placing

import (
	v1 "k8s.io/api/core/v1"

	"quadra/conformance/dice"
)

// Maker draws for one world. The same seed draws the same.
type Maker struct {
	dice.Dice
	Nodes      []string // names of those that there are
	Namespaces []string // in which there may be pods
}

const (
	// Plugged is a resource of some nodes that no device class serves.
	Plugged = "example.com/gpu"
	// Zone and Hostname are the labels by which nodes are near each other.
	Zone     = v1.LabelTopologyZone
	Hostname = v1.LabelHostname

	hugePages = "hugepages-2Mi"
)

func pointer[T any](value T) *T { return &value }
