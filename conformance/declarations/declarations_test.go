// Package declarations compares the functions that quadra's environments declare with upstream's: every overload with its id,
// its types and its place among the others of the function.
package declarations

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"encoding/json"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/decls"

	"quadra/conformance/peer"
	"quadra/conformance/selector"
)

type question struct {
	Env          string          `json:"env"`
	FeatureGates map[string]bool `json:"featureGates,omitempty"`
}

var questions = []question{
	{Env: "stored"},
	{Env: "new"},
	{Env: "new", FeatureGates: map[string]bool{"DRAListTypeAttributes": true}},
	{Env: "new", FeatureGates: map[string]bool{"DRAConsumableCapacity": false}},
}

func describe(function string, overload *decls.OverloadDecl) string {
	arguments := []string{}
	for _, argument := range overload.ArgTypes() {
		arguments = append(arguments, cel.FormatCELType(argument))
	}
	style := "global"
	if overload.IsMemberFunction() {
		style = "member"
	}
	strictness := ""
	if overload.IsNonStrict() {
		strictness = " non-strict"
	}
	return fmt.Sprintf("%s %s %s (%s) %s%s", function, overload.ID(), style, strings.Join(arguments, ", "),
		cel.FormatCELType(overload.ResultType()), strictness)
}

// answer lists the overloads by function; aliases that no expression can spell are left out.
func answer(text []byte) any {
	var q question
	if err := json.Unmarshal(text, &q); err != nil {
		panic(err)
	}
	expression := "true"
	functions := (&selector.Question{Expression: &expression, Env: q.Env, FeatureGates: q.FeatureGates}).Environment().Functions()
	lines := []string{}
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		if functions[name].IsDeclarationDisabled() {
			continue
		}
		for _, overload := range functions[name].OverloadDecls() {
			lines = append(lines, describe(name, overload))
		}
	}
	return lines
}

func TestDeclarations(t *testing.T) {
	peer.Comparison{
		Name: "declarations", Module: "dynamic-resource-allocation-v0.37.1", Listed: true, Default: len(questions), Recorded: len(questions),
		Ask: func(_ *rand.Rand, i int) any { return questions[i%len(questions)] }, Answer: answer,
	}.Run(t)
}
