// Package semver compares quadra's versions with upstream's three readers: CEL's semver(text) and semver(text, true), and the
// API's check of a version attribute.
package semver

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/blang/semver/v4"
	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/library"
	"k8s.io/kubernetes/pkg/apis/resource"
	"k8s.io/kubernetes/pkg/apis/resource/validation"

	"quadra/conformance/dice"
	"quadra/conformance/peer"
)

func TestSemver(t *testing.T) {
	normalize := compile(t, "semver(text, true)")
	peer.Comparison{
		Name:     "semver",
		Module:   "apiserver-v0.37.1",
		Default:  200_000,
		Recorded: 2500,
		Ask: func(random *rand.Rand, _ int) any {
			g := generator{dice.Dice{Rand: random}}
			a := g.text()
			return encode([]string{a, g.partner(a)})
		},
		Answer: func(line []byte) any { return encode(reply(line, normalize)) },
	}.Run(t)
}

// encode escapes as Go does by default.
func encode(value any) json.RawMessage {
	out, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return out
}

type reader func(text string) (semver.Version, error)

func compile(t *testing.T, expression string) reader {
	environment, err := cel.NewEnv(library.SemverLib(library.SemverVersion(1)), cel.Variable("text", cel.StringType))
	if err != nil {
		t.Fatal(err)
	}
	ast, issues := environment.Compile(expression)
	if issues.Err() != nil {
		t.Fatal(issues.Err())
	}
	program, err := environment.Program(ast)
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) (semver.Version, error) {
		value, _, err := program.Eval(map[string]any{"text": text})
		if err != nil {
			return semver.Version{}, err
		}
		return value.Value().(semver.Version), nil
	}
}

// reply says of each text: does the API take it, both readings, and how they compare with the text before.
func reply(line []byte, normalize reader) []any {
	var texts []string
	if err := json.Unmarshal(line, &texts); err != nil {
		panic(err)
	}
	var out []any
	var last, lastNormalized *semver.Version
	for _, text := range texts {
		parsed, err := semver.Parse(text)
		normalized, normalizedErr := normalize(text)
		out = append(out, matchesSpec(text), describe(parsed, err), describe(normalized, normalizedErr))
		out = append(out, order(last, &last, parsed, err), order(lastNormalized, &lastNormalized, normalized, normalizedErr))
	}
	return out
}

// order compares with the version before, if both could be read, and remembers this one.
func order(before *semver.Version, remember **semver.Version, version semver.Version, err error) any {
	if err != nil {
		*remember = nil
		return nil
	}
	*remember = &version
	if before == nil {
		return nil
	}
	return before.Compare(version)
}

// describe splits an error into its text and what it quotes.
func describe(version semver.Version, err error) []any {
	var number *strconv.NumError
	if errors.As(err, &number) {
		return []any{number.Err.Error(), number.Num}
	}
	if err != nil {
		message, quoted, _ := strings.Cut(err.Error(), ` "`)
		value, _ := strconv.Unquote(`"` + quoted)
		return []any{message, value}
	}
	prerelease := make([]string, 0, len(version.Pre))
	for _, identifier := range version.Pre {
		prerelease = append(prerelease, identifier.String())
	}
	return []any{version.String(), int64(version.Major), int64(version.Minor), int64(version.Patch),
		strings.Join(prerelease, "."), strings.Join(version.Build, ".")}
}

// matchesSpec asks the validation of a slice whose only device has the version as its attribute.
func matchesSpec(text string) bool {
	slice := &resource.ResourceSlice{Spec: resource.ResourceSliceSpec{Devices: []resource.Device{{
		Attributes: map[resource.QualifiedName]resource.DeviceAttribute{"version": {VersionValue: &text}},
	}}}}
	for _, problem := range validation.ValidateResourceSlice(slice) {
		if problem.Type == field.ErrorTypeInvalid && strings.HasSuffix(problem.Field, ".version") {
			return false
		}
	}
	return true
}
