// Package compile asks how cel-go reads an expression in the environments of device selectors.
package compile

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"quadra/conformance/expression"
	"quadra/conformance/selector"
)

type question struct {
	Expression   string          `json:"expression"`
	Env          string          `json:"env,omitempty"`
	FeatureGates map[string]bool `json:"featureGates,omitempty"`
}

// panicked stands for whatever we say where upstream's compiler panics; it must be a refusal.
const panicked = "panic"

// Answer is the checked tree, or the complaints.
func Answer(text []byte) (reply any) {
	defer func() {
		if recover() != nil {
			reply = panicked
		}
	}()
	var q question
	if err := json.Unmarshal(text, &q); err != nil {
		panic(err)
	}
	env := (&selector.Question{Expression: &q.Expression, Env: q.Env, FeatureGates: q.FeatureGates}).Environment()
	if _, issues := env.Parse(q.Expression); issues.Err() != nil {
		_ = issues.String() // sorts them
		place := issues.Errors()[0].Location
		return fmt.Sprintf("syntax %d:%d", place.Line(), place.Column())
	}
	checked, issues := env.Compile(q.Expression)
	if issues.Err() != nil {
		return issues.String()
	}
	return print(checked.NativeRep())
}

// Reduce leaves out what we say where upstream panics.
func Reduce(upstream, ours []byte) []byte {
	if string(upstream) == `"`+panicked+`"` && len(ours) > 1 && ours[1] == 'E' {
		return upstream
	}
	return ours
}

// NewStream draws expressions from the seeds, and makes others.
func NewStream(seeds []string) *expression.Stream {
	stored := "true"
	env := (&selector.Question{Expression: &stored, Env: "stored"}).Environment()
	return &expression.Stream{Table: expression.NewTable(env), Seeds: seeds, Seen: map[string]bool{},
		Devices: func(expression.Question) int { return 1 }}
}

// Ask draws questions, a tenth of them garbage.
func Ask(stream *expression.Stream) func(*rand.Rand, int) any {
	return func(random *rand.Rand, _ int) any {
		next := stream.Next(random)
		if random.IntN(100) < 10 {
			next.Expression = expression.Source{Rand: random}.Garbage()
		}
		return question{next.Expression, next.Env, next.FeatureGates}
	}
}
