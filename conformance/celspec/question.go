package celspec

import (
	"cel.dev/expr"
)

// Question is a test as quadra is asked it.
type Question struct {
	Profile       string         `json:"profile"` // k8s or spec
	Expression    string         `json:"expression"`
	Container     string         `json:"container,omitempty"`
	DisableCheck  bool           `json:"disableCheck,omitempty"`
	DisableMacros bool           `json:"disableMacros,omitempty"`
	CheckOnly     bool           `json:"checkOnly,omitempty"`
	WantsType     bool           `json:"wantsType,omitempty"` // profile spec: the answer names the type
	Variables     []Variable     `json:"variables,omitempty"`
	Functions     []Function     `json:"functions,omitempty"`
	Bindings      map[string]any `json:"bindings,omitempty"`
}

type Variable struct {
	Name string `json:"name"`
	Type any    `json:"type"`
}

// Function is one overload of a function that is declared, but not implemented.
type Function struct {
	Name       string `json:"name"`
	ID         string `json:"id"`
	Member     bool   `json:"member,omitempty"`
	Parameters []any  `json:"parameters"`
	Result     any    `json:"result"`
}

// Answer has a value and its static type, or an error, or says that the expression does not compile. In profile spec, what does
// not compile is an error too, errors have no words, and the type is named only where it is asked for.
type Answer struct {
	Compile string  `json:"compile,omitempty"` // error
	Error   *string `json:"error,omitempty"`
	Value   any     `json:"value,omitempty"`
	Type    string  `json:"type,omitempty"`
}

// question asks a test in a profile.
func (t Test) question(profile string) Question {
	question := Question{Profile: profile, Expression: t.Expr, Container: t.Container, DisableCheck: t.DisableCheck, DisableMacros: t.DisableMacros, CheckOnly: t.CheckOnly}
	question.WantsType = profile == "spec" && t.GetTypedResult() != nil
	for _, declared := range t.TypeEnv {
		if ident := declared.GetIdent(); ident != nil {
			question.Variables = append(question.Variables, Variable{declared.Name, declaredType(suiteType(ident.Type))})
		}
		for _, overload := range declared.GetFunction().GetOverloads() {
			question.Functions = append(question.Functions, function(declared.Name, overload))
		}
	}
	for name, bound := range t.Bindings {
		if question.Bindings == nil {
			question.Bindings = map[string]any{}
		}
		question.Bindings[name] = valueWords(suiteValue(bound.GetValue()))
	}
	return question
}

func function(name string, overload *expr.Decl_FunctionDecl_Overload) Function {
	f := Function{Name: name, ID: overload.OverloadId, Member: overload.IsInstanceFunction, Parameters: []any{}, Result: declaredType(suiteType(overload.ResultType))}
	for _, parameter := range overload.Params {
		f.Parameters = append(f.Parameters, declaredType(suiteType(parameter)))
	}
	return f
}
