package upstream

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
)

var (
	defaultGates = utilfeature.DefaultFeatureGate
	// gateSets keeps one prepared gate per set of values, since building one costs more than answering a question.
	gateSets = map[string]gateSet{}
)

type gateSet struct {
	gate featuregate.FeatureGate
	err  error
}

// setGates makes upstream see these gates, the others at their defaults, until restore is called. Values that a server would
// not start with (unknown or locked gates, enabled ones that depend on disabled ones) make the question senseless.
func setGates(values map[string]bool) (restore func(), err error) {
	restore = func() { utilfeature.DefaultFeatureGate = defaultGates }
	if len(values) == 0 {
		return restore, nil
	}
	key := gateKey(values)
	set, ok := gateSets[key]
	if !ok {
		set = newGateSet(values)
		gateSets[key] = set
	}
	if set.err != nil {
		return nil, set.err
	}
	utilfeature.DefaultFeatureGate = set.gate
	return restore, nil
}

func gateKey(values map[string]bool) string {
	var key strings.Builder
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(&key, "%s=%t,", name, values[name])
	}
	return key.String()
}

func newGateSet(values map[string]bool) gateSet {
	gate := utilfeature.DefaultMutableFeatureGate.DeepCopy()
	if err := gate.SetFromMap(values); err != nil {
		return gateSet{err: senselessf("no server starts with these gates: %v", err)}
	}
	return gateSet{gate: gate}
}
