// Compares what quadra says about selectors and derived attributes with what upstream's CEL packages say.
package selectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/google/cel-go/cel"

	"quadra/conformance/expression"
	"quadra/conformance/peer"
	"quadra/conformance/selector"
)

type run struct {
	t                   *testing.T
	stream              *expression.Stream
	perExpression       int // devices for each expression that compiles
	used                map[string]bool
	compiled, evaluated int
	last                []byte
}

func newRun(t *testing.T, seeds []string) *run {
	stored := "true"
	question := selector.Question{Expression: &stored, Env: "stored"}
	r := &run{t: t, perExpression: 7, used: map[string]bool{}}
	r.stream = &expression.Stream{Table: expression.NewTable(question.Environment()), Seeds: seeds, Seen: map[string]bool{}, Devices: r.devices}
	return r
}

func asUpstreams(question expression.Question) *selector.Question {
	return &selector.Question{Expression: &question.Expression, Env: question.Env, FeatureGates: question.FeatureGates, As: question.As}
}

// devices also notes which overloads the expression uses, until all were used.
func (r *run) devices(question expression.Question) int {
	asked := asUpstreams(question)
	if asked.Compile().Failure != "" {
		return 1
	}
	r.compiled++
	if len(r.used) < len(r.stream.Table.Reachable()) {
		r.note(asked.Environment(), question.Expression)
	}
	return r.perExpression
}

func (r *run) note(env *cel.Env, text string) {
	ast, issues := env.Compile(text)
	if issues.Err() != nil {
		return
	}
	for _, reference := range ast.NativeRep().ReferenceMap() {
		for _, id := range reference.OverloadIDs {
			if r.stream.Table.Reachable()[id] {
				r.used[id] = true
			}
		}
	}
}

func (r *run) ask(random *rand.Rand, _ int) any {
	if random.IntN(2000) == 0 {
		return []byte(expression.Pick(expression.Source{Rand: random}, expression.OddQuestions...))
	}
	return r.stream.Next(random)
}

func (r *run) answer(question []byte) any {
	answer := selector.Compared(question)
	if answer.Cost != nil && !bytes.Equal(question, r.last) { // not when asked again
		r.evaluated++
		r.last = bytes.Clone(question)
	}
	return answer
}

// asGood is for answers that depend on the order in which upstream visits a map: ours has the same estimate, and is an error if
// upstream's is.
func asGood(_, upstream, ours []byte) bool {
	var answer, theirs selector.Answer
	if json.Unmarshal(ours, &answer) != nil || json.Unmarshal(upstream, &theirs) != nil || answer.Estimate == nil || theirs.Estimate == nil {
		return false
	}
	return (answer.Error == nil) == (theirs.Error == nil) && *answer.Estimate == *theirs.Estimate
}

// deviates knows the rows of docs/deviations.md: protobuf messages cannot be built; the names of Go's types and the words of
// its run-time errors need not be upstream's; keys of a device's map come in order, which upstream's do too rarely to be seen to
// waver; and a map of the device is one key, however often it is read.
func deviates(question, upstream, ours []byte) bool {
	var asked expression.Question
	if json.Unmarshal(question, &asked) == nil && message.MatchString(asked.Expression) {
		return true
	}
	if order.MatchString(asked.Expression) && bytes.Equal(bytes.Replace(upstream, []byte(`"result":false`), []byte(`"result":true`), 1), ours) {
		return true
	}
	if inserted.Match(ours) && result.Match(upstream) && bytes.Equal(result.ReplaceAll(upstream, nil), inserted.ReplaceAll(ours, nil)) {
		return true
	}
	return goWords.Match(upstream) && bytes.Equal(goWords.ReplaceAll(upstream, nil), goWords.ReplaceAll(ours, nil))
}

var (
	message  = regexp.MustCompile(`google\s*\.\s*protobuf`)
	order    = regexp.MustCompile(`device\s*\.\??\s*(attributes|capacity)\b(?s:.*)\)\.map\((?s:.*)\)\.isSorted\(\)$`)
	inserted = regexp.MustCompile(`"error":"insert failed: key \{[^"]*already exists"`)
	result   = regexp.MustCompile(`"result":(true|false)`)
	goWords  = regexp.MustCompile(`"error":"(internal error: |unsupported list element type: |unsupported CEL return type: |invalid qualifier type: |expected list element at index \d+ to be [a-z]+, got )[^"]*"`)
)

// namesGoType tells of errors whose words depend on how upstream holds a value in memory.
func namesGoType(upstream []byte) bool {
	return bytes.Contains(upstream, []byte("CEL return type: ")) || bytes.Contains(upstream, []byte("invalid qualifier type: "))
}

func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}

func (r *run) report() {
	reachable := len(r.stream.Table.Reachable())
	fmt.Printf("select: %d distinct expressions, %d compiled; %d evaluations; %d of %d overloads used\n",
		len(r.stream.Seen), r.compiled, r.evaluated, len(r.used), reachable)
	const enough = 5000 // expressions to use every overload
	if len(r.stream.Seen) >= enough && len(r.used) < reachable {
		missing := []string{}
		for id := range r.stream.Table.Reachable() {
			if !r.used[id] {
				missing = append(missing, id)
			}
		}
		slices.Sort(missing)
		r.t.Errorf("select: overloads that no expression used: %v", missing)
	}
}

// seeds are our own and those of upstream's tests.
func seeds(t *testing.T) []string {
	stored := "true"
	env := (&selector.Question{Expression: &stored, Env: "stored"}).Environment()
	found, err := expression.Harvest(func(text string) bool {
		_, issues := env.Parse(text)
		return issues.Err() == nil
	})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("select: %d seeds of our own, %d in upstream's tests\n", len(expression.Seeds), len(found))
	return append(slices.Clone(expression.Seeds), found...)
}

// sample draws questions from our own seeds alone, and none about what docs/deviations.md excepts.
func (r *run) sample(random *rand.Rand, _ int) any {
	for {
		question := r.stream.Next(random)
		if asUpstreams(question).Compile().Phase != selector.PhasePanic && !message.MatchString(question.Expression) {
			return question
		}
	}
}

func TestSelect(t *testing.T) {
	r, own := newRun(t, seeds(t)), newRun(t, expression.Seeds)
	own.stream.Sparse, own.perExpression = true, 2
	peer.Comparison{
		Name: "select", Module: "dynamic-resource-allocation-v0.37.1", Default: 1_220_000, Recorded: 5000,
		Ask: r.ask, Answer: r.answer, Reduce: selector.Reduced, AsGood: asGood, Sample: own.sample,
		Deviates: deviates, Unrecorded: namesGoType,
	}.Run(t)
	r.report()
}

// TestBreadth fails when the generators no longer reach what they once did.
func TestBreadth(t *testing.T) {
	r := newRun(t, expression.Seeds)
	random := rand.New(rand.NewPCG(1, 0))
	for range 20_000 {
		r.answer(encode(r.stream.Next(random)))
	}
	r.report()
	const typed, wanted = 2000, 75
	compiled := 0
	for i := range typed {
		question := expression.Question{Env: []string{"new", "stored"}[i%2]}
		question.Expression = expression.NewTyped(expression.Source{Rand: random}, r.stream.Table, question.Env == "stored").Selector()
		if asUpstreams(question).Compile().Failure == "" {
			compiled++
		}
	}
	fmt.Printf("select: %d of %d typed expressions compile\n", compiled, typed)
	if 100*compiled < wanted*typed {
		t.Errorf("select: less than %d %% of the typed expressions compile", wanted)
	}
}

func init() { debug.SetGCPercent(400) } // compiling makes much garbage
