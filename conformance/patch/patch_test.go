// Compares patches with upstream's packages, put together as the server's handler does: the patched object byte by byte, and
// of refusals the code and the words.
package patch

import (
	"math/rand/v2"
	"strings"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"quadra/conformance/generate"
	"quadra/conformance/peer"
)

func TestPatch(t *testing.T) {
	documents, err := generate.LoadDocuments()
	if err != nil {
		t.Fatal(err)
	}
	peer.Comparison{
		Name: "patch", Module: "apimachinery-v0.37.1", Default: 30000, Recorded: 90,
		Ask: func(random *rand.Rand, i int) any {
			g := &generator{&generate.Source{Rand: random}, documents}
			return g.question([]string{"json", "merge", "strategic"}[i%3])
		},
		Answer: reply,
		Reduce: withoutUnparsed,
		Unrecorded: func(upstream []byte) bool {
			return panicked(upstream) || strings.Contains(string(upstream), unparsed)
		},
		// Where a patch is wrong in two places, or one directive undoes another, upstream's answer depends on the order in which Go
		// visits a map; ours has to be one of them, or stand for a panic.
		AsGood: func(question, _, _ []byte) bool { return panics(question) },
		// Nulls and objects where upstream expects elements that it can compare: docs/deviations.md.
		Deviates: func(_, upstream, _ []byte) bool { return panicked(upstream) },
	}.Run(t)
}

func panicked(upstream []byte) bool { return strings.Contains(string(upstream), `"panicked":true`) }

// panics tells whether upstream does so in some order of its maps.
func panics(question []byte) bool {
	for range 200 {
		if reply(question).(answer).Panicked {
			return true
		}
	}
	return false
}

// question is the same for the same seed, whatever upstream makes of it.
func (g *generator) question(kind string) question {
	object, typed := g.object()
	q := question{Type: kind, Strict: g.Chance(0.7), Object: marshal(typed)}
	switch kind {
	case "json":
		q.Patch = g.written(g.operations(object))
	case "merge":
		q.Patch = g.written(g.merging(object))
	default:
		q.Patch = g.written(g.strategic(object, typed))
	}
	return q
}

// merging is a merge patch to another state, or something near it.
func (g *generator) merging(object generate.Object) any {
	text, err := jsonpatch.CreateMergePatch(marshal(object), marshal(g.modified(object)))
	if err != nil {
		panic(err)
	}
	patch := tree(text)
	for range generate.Pick(g.Source, 0, 0, 1, 2, 3) {
		g.Mutate(patch)
	}
	if g.Chance(0.3) {
		patch[generate.Pick(g.Source, "spec", "metadata", "data", "x", "status")] = generate.Pick[any](g.Source, nil, g.oddValue(),
			generate.Object{"a": nil, "c": generate.List{nil, generate.Object{"b": nil, "a": 1}}, "b": generate.Object{"d": nil}})
	}
	if g.Chance(0.03) {
		return generate.Pick[any](g.Source, nil, generate.List{}, generate.List{nil, generate.Object{"b": nil}}, 5, "x", true)
	}
	return patch
}

// written is the patch as text, seldom with a member given twice, a number Go cannot hold, or not JSON at all.
func (g *generator) written(patch any) string {
	text := string(marshal(patch))
	switch g.IntN(40) {
	case 0:
		return strings.Replace(text, ",", `,"op":"test","a":{"b":1,"b":[1]},`, 1)
	case 1:
		return strings.Replace(text, ":", `:{"a":1,"a":{"y":1,"x":2},"q":[{"c":1,"c":null}]},"b":`, 1)
	case 2:
		return strings.Replace(text, ":", generate.Pick(g.Source, ":1e400,", ":-0,", ":1.0,", ":12345678901234567890,", ":1E2,")+`"c":`, 1)
	case 3:
		return generate.Pick(g.Source, "", "{", text+"x", text[:len(text)/2], "nul", "[1,]")
	case 4:
		return " " + text + "\n"
	}
	return text
}
