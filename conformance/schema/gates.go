package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	_ "k8s.io/kubernetes/pkg/features" // adds its gates to the ones of every server
)

// gateFiles are the feature gates of kube-apiserver: an enumerator each, and what is known of it.
func gateFiles() map[string][]byte {
	gates := utilfeature.DefaultMutableFeatureGate
	names := slices.Sorted(maps.Keys(gates.GetAll()))
	return map[string][]byte{
		"gate.h":       gateHeader(names),
		"gate_rows.cc": gateTable(names, gates.GetAll(), gates.Dependencies()),
	}
}

func gateHeader(names []featuregate.Feature) []byte {
	var out bytes.Buffer
	out.WriteString(banner + "// The feature gates of kube-apiserver, in the order of their names.\n#pragma once\n\n" +
		"#include <cstddef>\n#include <cstdint>\n\nnamespace quadra::api {\n\nenum class Gate : std::uint16_t {\n")
	for _, name := range names {
		fmt.Fprintf(&out, "  k%s,\n", name)
	}
	fmt.Fprintf(&out, "};\ninline constexpr std::size_t kGateCount = %d;\n\n}  // namespace quadra::api\n", len(names))
	return out.Bytes()
}

func gateTable(names []featuregate.Feature, specs map[featuregate.Feature]featuregate.FeatureSpec, needs map[featuregate.Feature][]featuregate.Feature) []byte {
	var out bytes.Buffer
	out.WriteString(banner + "#include \"api/gate_row.h\"\n\nnamespace quadra::api {\n\n" +
		"constinit const std::array<GateRow, kGateCount> kGateRows = {{\n")
	for _, name := range names {
		spec := specs[name]
		fmt.Fprintf(&out, "    {%q, Stage::%s, %t, %t", name, stages[spec.PreRelease], spec.Default, spec.LockToDefault)
		separator := ", {"
		for _, need := range needs[name] {
			fmt.Fprintf(&out, "%sGate::k%s", separator, need)
			separator = ", "
		}
		if len(needs[name]) > 0 {
			out.WriteString("}")
		}
		out.WriteString("},\n")
	}
	out.WriteString("}};\n\n}  // namespace quadra::api\n")
	return out.Bytes()
}

// stages are the enumerators of Stage. A gate that the release does not have yet would stop the compiler.
var stages = map[any]string{
	featuregate.Alpha: "kAlpha", featuregate.Beta: "kBeta", featuregate.GA: "kGa", featuregate.Deprecated: "kDeprecated",
}
