package expression

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// Typed writes expressions of a wanted type, most of which compile.
type Typed struct {
	Source
	table *Table
	scope []variable
	fresh int
	dyn   bool // attributes are of type dyn: macros may range over them
}

type variable struct {
	name string
	t    *types.Type
}

// NewTyped starts an expression.
func NewTyped(source Source, table *Table, dyn bool) *Typed {
	return &Typed{Source: source, table: table, dyn: dyn}
}

// Selector is a condition; Derived a value that a derived attribute may have.
func (g *Typed) Selector() string { return g.expression(types.BoolType, g.depth()) }

func (g *Typed) Derived() string {
	t := Pick(g.Source, types.IntType, types.StringType, types.BoolType, apiservercel.SemverType, types.NewListType(types.IntType), types.NewListType(types.StringType),
		types.NewListType(types.BoolType), types.NewListType(apiservercel.SemverType), types.DynType)
	return g.expression(t, g.depth())
}

func (g *Typed) depth() int { return Pick(g.Source, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5) }

var scalarTypes = []*types.Type{types.IntType, types.StringType, types.BoolType, types.UintType, types.DoubleType, types.BytesType, types.DurationType, types.TimestampType}

// anyType is for type parameters that nothing binds.
func (g *Typed) anyType() *types.Type { return g.typeOfDepth(2) }

func (g *Typed) typeOfDepth(depth int) *types.Type {
	switch {
	case depth > 0 && g.Chance(12):
		return types.NewListType(g.typeOfDepth(depth - 1))
	case depth > 0 && g.Chance(6):
		return types.NewMapType(Pick(g.Source, types.StringType, types.StringType, types.IntType, types.BoolType, types.UintType), g.typeOfDepth(depth-1))
	case depth > 0 && g.Chance(5):
		return types.NewOptionalType(g.typeOfDepth(depth - 1))
	case g.Chance(15):
		return Pick(g.Source, apiservercel.QuantityType, apiservercel.SemverType, apiservercel.IPType, apiservercel.CIDRType, apiservercel.URLType, apiservercel.FormatType)
	case g.Chance(7):
		return Pick(g.Source, types.DynType, types.NullType, types.NewTypeTypeWithParam(types.IntType), types.NewListType(types.DynType))
	}
	return Pick(g.Source, scalarTypes...)
}

// expression is of type t, or by chance (dyn, attributes) of one that fits at run time only.
func (g *Typed) expression(t *types.Type, depth int) string {
	if depth <= 0 {
		return g.leaf(t)
	}
	switch {
	case g.Chance(14):
		return g.leaf(t)
	case g.Chance(22):
		if text, ok := g.macro(t, depth); ok {
			return text
		}
	case g.Chance(6):
		return g.bind(t, depth)
	case g.Chance(5):
		return g.selection(t, depth)
	case g.Chance(3) && t.Kind() != types.ListKind:
		return "dyn(" + g.expression(t, depth-1) + ")"
	}
	return g.call(t, depth)
}

// closed is an expression whose type upstream knows: elements of one literal must agree, and so must what a macro ranges over.
func (g *Typed) closed(t *types.Type, depth int) string {
	for range 4 {
		text := g.expression(t, depth)
		if !strings.HasPrefix(text, "device.attributes") && !strings.HasPrefix(text, "dyn(") {
			return text
		}
	}
	return g.construct(t, min(depth, 1))
}

// call picks an overload whose result fits; those that were used less come up more.
func (g *Typed) call(t *types.Type, depth int) string {
	best, bestBound := -1, bindings(nil)
	candidates := g.table.byKind[t.Kind()]
	for range 4 {
		if len(candidates) == 0 {
			break
		}
		index := candidates[g.IntN(len(candidates))]
		bound := bindings{}
		if !bound.fit(g.table.callable[index].result, t) || g.table.callable[index].function == "includes" && !g.dyn {
			continue
		}
		if best < 0 || g.table.used[index] < g.table.used[best] {
			best, bestBound = index, bound
		}
	}
	if best < 0 {
		return g.construct(t, depth)
	}
	g.table.used[best]++
	return g.apply(g.table.callable[best], bestBound, depth)
}

func (g *Typed) apply(o overload, bound bindings, depth int) string {
	texts := make([]string, len(o.arguments))
	for i, argument := range o.arguments {
		texts[i] = g.argument(o, i, bound.ground(argument, g.anyType), depth-1)
	}
	switch pattern, special := operators[o.function]; {
	case o.function == "_?._":
		return g.optionalField(depth - 1)
	case special:
		for i, text := range texts {
			pattern = strings.Replace(pattern, fmt.Sprintf("$%d", i+1), strings.ReplaceAll(text, "$", "＄"), 1)
		}
		pattern = strings.ReplaceAll(pattern, "＄", "$")
		if g.Chance(15) || strings.HasSuffix(o.function, "]") {
			return pattern
		}
		return "(" + pattern + ")"
	case o.member:
		return g.receiver(texts[0]) + "." + o.function + "(" + strings.Join(texts[1:], ", ") + ")"
	}
	return o.function + "(" + strings.Join(texts, ", ") + ")"
}

// receiver parenthesises what would bind less tightly than the dot.
func (g *Typed) receiver(text string) string {
	if strings.ContainsAny(text[:1], "-!0123456789") || strings.Contains(text, " ") && text[0] != '(' && g.Chance(90) {
		return "(" + text + ")"
	}
	return text
}

// argument number i of an overload: strings are about what the function is about.
func (g *Typed) argument(o overload, i int, t *types.Type, depth int) string {
	purpose := purposeOf[o.function]
	last := i == len(o.arguments)-1 || o.arguments[i+1].Kind() != types.StringKind
	switch {
	case o.id == "string_format" && i == 0:
		return g.Literal(g.Text("format"))
	case o.id == "string_format" && g.Chance(85):
		return g.formatArguments(depth)
	case o.id == "list_flatten_int" && i == 0:
		return g.expression(types.NewListType(types.NewListType(types.IntType)), depth)
	case t.Kind() == types.StringKind && purpose != "" && last && g.Chance(80):
		return g.Literal(g.Text(purpose))
	case t.Kind() == types.IntKind && o.member && g.Chance(60):
		return Pick(g.Source, "0", "1", "2", "3", "-1", "10")
	case o.function == "lists.range" && g.Chance(90):
		return Pick(g.Source, "0", "1", "3", "5", "10")
	}
	return g.expression(t, depth)
}

func (g *Typed) formatArguments(depth int) string {
	values := []string{}
	for range Pick(g.Source, 0, 1, 1, 1, 2, 2, 3) {
		values = append(values, g.expression(Pick(g.Source, append(scalarTypes, types.NewListType(types.IntType), types.NewMapType(types.StringType, types.IntType), types.NullType,
			apiservercel.QuantityType, types.NewOptionalType(types.IntType), types.NewTypeTypeWithParam(types.IntType), types.NewListType(types.StringType))...), depth-1))
	}
	return "[" + strings.Join(values, ", ") + "]"
}
