package selector

import (
	"fmt"
	"regexp"

	"github.com/google/cel-go/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

// Phase says where compilation failed.
type Phase int

const (
	PhaseInput   Phase = iota // the line is no question
	PhaseSyntax               // the parser refused it
	PhaseMeaning              // type check, validators, result type, program creation: texts are upstream's
	PhasePanic                // upstream's compiler panicked
)

// Compiled is an expression in one environment, or the reason why there is none.
type Compiled struct {
	Failure  string // empty: it compiled
	Phase    Phase
	Estimate uint64

	derived bool
	result  dracel.CompilationResult
}

var environments = map[string]environment.Type{
	"": environment.NewExpressions, "new": environment.NewExpressions, "stored": environment.StoredExpressions,
}

type compiler interface {
	CompileCELExpression(expression string, options dracel.Options) dracel.CompilationResult
}

// variant is an environment: the gates, and whether expressions are new or stored.
type variant struct {
	features dracel.Features
	env      environment.Type
}

var (
	compilers = map[dracel.Features]compiler{}
	parsers   = map[variant]*cel.Env{}
)

func (q *Question) variant() variant {
	gate := func(name string, byDefault bool) bool {
		if value, set := q.FeatureGates[name]; set {
			return value
		}
		return byDefault
	}
	return variant{dracel.Features{
		EnableConsumableCapacity: gate("DRAConsumableCapacity", true),
		EnableListTypeAttributes: gate("DRAListTypeAttributes", false),
	}, environments[q.Env]}
}

func (v variant) compiler() compiler {
	if compilers[v.features] == nil {
		compilers[v.features] = dracel.GetCompiler(v.features)
	}
	return compilers[v.features]
}

// Environment is cel-go's own of the question.
func (q *Question) Environment() *cel.Env {
	v := q.variant()
	if parsers[v] == nil {
		parsers[v] = v.compiler().CompileCELExpression("true", dracel.Options{EnvType: &v.env}).Environment
	}
	return parsers[v]
}

// What was compiled last, so that questions about several devices pay once.
const maxCached = 4096

type cacheKey struct {
	expression string
	variant    variant
	derived    bool
}

var (
	cached     = map[cacheKey]*Compiled{}
	cacheOrder []cacheKey
)

// Compile compiles the question's expression.
func (q *Question) Compile() *Compiled {
	key := cacheKey{*q.Expression, q.variant(), q.As == "derived"}
	if found := cached[key]; found != nil {
		return found
	}
	if len(cacheOrder) == maxCached {
		for _, old := range cacheOrder[:maxCached/2] {
			delete(cached, old)
		}
		cacheOrder = append(cacheOrder[:0:0], cacheOrder[maxCached/2:]...)
	}
	compiled := q.compile()
	cached[key] = compiled
	cacheOrder = append(cacheOrder, key)
	return compiled
}

func (q *Question) compile() (compiled *Compiled) {
	compiled = &Compiled{derived: q.As == "derived"}
	defer func() {
		if problem := recover(); problem != nil {
			compiled.Failure, compiled.Phase = fmt.Sprintf("panic: %v", problem), PhasePanic
		}
	}()
	v := q.variant()
	compiled.result = v.compiler().CompileCELExpression(*q.Expression, dracel.Options{EnvType: &v.env, DerivedAttribute: compiled.derived})
	compiled.Estimate = compiled.result.MaxCost
	if failure := compiled.result.Error; failure != nil {
		compiled.Failure, compiled.Phase = failure.Error(), PhaseMeaning
		if _, issues := q.Environment().Parse(*q.Expression); issues.Err() != nil {
			compiled.Phase = PhaseSyntax
		}
	}
	return compiled
}

// Message is the failure in upstream's words.
func Message(c *Compiled) string { return c.Failure }

var place = regexp.MustCompile(`<input>:(-?\d+:-?\d+)`)

// SyntaxError is how a comparison tells a syntax error, whose words may differ.
const SyntaxError = "syntax error at "

// PlaceOf finds the first place that a message names.
func PlaceOf(message string) string {
	if found := place.FindStringSubmatch(message); found != nil {
		return SyntaxError + found[1]
	}
	return SyntaxError + "no place"
}

// Place is the failure without the words that may differ.
func Place(c *Compiled) string {
	switch c.Phase {
	case PhaseSyntax:
		return PlaceOf(c.Failure)
	case PhaseInput, PhasePanic:
		return ""
	}
	return c.Failure
}
