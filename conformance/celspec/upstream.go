package celspec

import (
	"fmt"

	spec "cel.dev/expr/conformance/test"
	"github.com/google/cel-go/cel"

	"quadra/conformance/selector"
)

// environment is that of stored device expressions.
var environment = func() *cel.Env {
	text := "true"
	return (&selector.Question{Expression: &text, Env: "stored"}).Environment()
}()

// upstreamAnswer compiles and evaluates a test in DRA's environment.
func (t Test) upstreamAnswer() (answer Answer) {
	defer func() {
		if problem := recover(); problem != nil {
			answer = Answer{Compile: "error"}
		}
	}()
	env, err := t.extend()
	if err != nil {
		return Answer{Compile: "error"}
	}
	compile := env.Compile
	if t.DisableCheck {
		compile = env.Parse
	}
	ast, issues := compile(t.Expr)
	if issues.Err() != nil {
		return Answer{Compile: "error"}
	}
	if !t.DisableCheck {
		answer.Type = typeWords(ast.OutputType())
	}
	if t.CheckOnly {
		return answer
	}
	program, err := env.Program(ast)
	if err != nil {
		return Answer{Compile: "error"}
	}
	bindings := map[string]any{}
	for name, bound := range t.Bindings {
		bindings[name] = suiteValue(bound.GetValue())
	}
	value, _, err := program.Eval(bindings)
	if err != nil {
		text := err.Error()
		if t.DisableCheck {
			text = "" // Kubernetes never evaluates unchecked: its words are not compared
		}
		answer.Error = &text
		return answer
	}
	answer.Value = Some{valueWords(value)}
	return answer
}

// Some keeps a null in the answer.
type Some struct{ value any }

func (s Some) MarshalJSON() ([]byte, error) { return []byte(jsonText(s.value)), nil }

func (t Test) extend() (*cel.Env, error) {
	options := []cel.EnvOption{cel.Container(t.Container)}
	if t.DisableMacros {
		options = append(options, cel.ClearMacros())
	}
	for _, declared := range t.TypeEnv {
		option, err := cel.ProtoAsDeclaration(declared)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", declared.Name, err)
		}
		options = append(options, option)
	}
	return environment.Extend(options...)
}

// expected is what the suite asks for.
func (t Test) expected() Answer {
	switch matcher := t.ResultMatcher.(type) {
	case *spec.SimpleTest_Value:
		return Answer{Value: Some{valueWords(suiteValue(matcher.Value))}}
	case *spec.SimpleTest_TypedResult:
		answer := Answer{Type: typeWords(suiteType(matcher.TypedResult.DeducedType))}
		if !t.CheckOnly {
			answer.Value = Some{valueWords(suiteValue(matcher.TypedResult.Result))}
		}
		return answer
	case *spec.SimpleTest_EvalError, *spec.SimpleTest_AnyEvalErrors:
		text := ""
		return Answer{Error: &text}
	case nil:
		return Answer{Value: Some{true}}
	}
	panic(fmt.Sprintf("%s/%s: unknown matcher %T", t.File, t.Name, t.ResultMatcher))
}

// asWanted takes out of an answer what the suite does not ask for: the type, the words of an error and when it is found.
func asWanted(answer, wanted Answer) Answer {
	if wanted.Error != nil && (answer.Error != nil || answer.Compile != "") {
		return wanted
	}
	if wanted.Type == "" {
		answer.Type = ""
	}
	return answer
}
