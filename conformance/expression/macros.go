package expression

import (
	"fmt"

	"github.com/google/cel-go/common/types"
)

// with declares variables while `body` is written.
func (g *Typed) with(body func() string, variables ...variable) string {
	before := len(g.scope)
	g.scope = append(g.scope, variables...)
	text := body()
	g.scope = g.scope[:before]
	return text
}

func (g *Typed) name() string {
	g.fresh++
	if g.Chance(10) {
		return "x" // shadows
	}
	return fmt.Sprintf("%s%d", Pick(g.Source, "x", "i", "k", "v", "e"), g.fresh)
}

// container is something a macro ranges over, the type of its first and of its second variable.
func (g *Typed) container(depth int) (text string, key, value *types.Type) {
	switch {
	case g.dyn && g.Chance(15):
		return g.attribute(), types.DynType, types.DynType
	case g.Chance(35):
		key, value = Pick(g.Source, types.StringType, types.StringType, types.IntType), g.typeOfDepth(1)
		return g.closed(types.NewMapType(key, value), depth), key, value
	}
	value = g.typeOfDepth(1)
	return g.closed(types.NewListType(value), depth), types.IntType, value
}

// loop writes container.macro(variables, bodies…). In the one-variable form the variable is the element of a list or the key of a map.
func (g *Typed) loop(macro string, two bool, depth int, bodies ...*types.Type) string {
	text, key, value := g.container(depth - 1)
	single := value
	if key.Kind() != types.IntKind || text[len(text)-1] == '}' {
		single = key
	}
	return g.loopOver(text, macro, two, single, key, value, depth, bodies...)
}

func (g *Typed) loopOver(text, macro string, two bool, single, key, value *types.Type, depth int, bodies ...*types.Type) string {
	first, second := g.name(), g.name()
	variables := []variable{{first, single}}
	out := g.receiver(text) + "." + macro + "(" + first
	if two {
		variables = []variable{{first, key}, {second, value}}
		out += ", " + second
	}
	for _, body := range bodies {
		out += ", " + g.with(func() string { return g.expression(body, depth-1) }, variables...)
	}
	return out + ")"
}

// macro writes one whose result is of type t, if there is one.
func (g *Typed) macro(t *types.Type, depth int) (string, bool) {
	switch {
	case t.Kind() == types.BoolKind:
		return g.condition(depth), true
	case t.Kind() == types.ListKind:
		return g.listMacro(t, depth), true
	case t.Kind() == types.MapKind:
		return g.mapMacro(t, depth), true
	case isOptional(t):
		inner := g.typeOfDepth(1)
		name := g.name()
		macro, body := "optMap", t.Parameters()[0]
		if g.Chance(40) {
			macro, body = "optFlatMap", t
		}
		return fmt.Sprintf("%s.%s(%s, %s)", g.expression(types.NewOptionalType(inner), depth-1), macro, name,
			g.with(func() string { return g.expression(body, depth-1) }, variable{name, inner})), true
	}
	return "", false
}

func (g *Typed) condition(depth int) string {
	switch g.IntN(6) {
	case 0:
		return "has(" + g.presence(depth) + ")"
	case 1, 2:
		return g.loop(Pick(g.Source, "all", "exists", "exists_one"), false, depth, types.BoolType)
	case 3:
		return g.loop(Pick(g.Source, "all", "exists", "existsOne", "exists_one"), true, depth, types.BoolType)
	case 4:
		return Pick(g.Source, g.attribute(), g.Literal(g.Text("id"))) + " in " + Pick(g.Source, "device.attributes", fmt.Sprintf("device.attributes[%q]", Pick(g.Source, Domains...)), `["a", "A100", "model"]`, "[1, 7, 42]", "[]", "{'model': 1}")
	}
	return g.expression(types.NewOptionalType(g.typeOfDepth(1)), depth-1) + ".hasValue()"
}

func (g *Typed) presence(depth int) string {
	switch g.IntN(6) {
	case 0:
		return "device." + Pick(g.Source, "driver", "attributes", "capacity", "allowMultipleAllocations")
	case 1:
		return "device.attributes." + Pick(g.Source, "d", "nope")
	case 2:
		return g.capacity()
	case 3:
		return g.mapping(types.NewMapType(types.StringType, types.IntType), depth-1) + "." + Pick(g.Source, "a", "b", "gpu")
	}
	return fmt.Sprintf("device.attributes[%q].%s", Pick(g.Source, Domains...), Pick(g.Source, IDs...))
}

func (g *Typed) listMacro(t *types.Type, depth int) string {
	element := t.Parameters()[0]
	switch g.IntN(6) {
	case 0:
		return g.loop("map", false, depth, element)
	case 1:
		return g.loop("map", false, depth, types.BoolType, element)
	case 2:
		return g.loop("transformList", true, depth, element)
	case 3:
		return g.loop("transformList", true, depth, types.BoolType, element)
	case 4:
		return g.loopOver(g.closed(t, depth-1), "filter", false, element, element, element, depth, types.BoolType)
	}
	return g.loopOver(g.closed(t, depth-1), "sortBy", false, element, element, element, depth, Pick(g.Source, scalarTypes...))
}

func (g *Typed) mapMacro(t *types.Type, depth int) string {
	filter := []*types.Type{}
	if g.Chance(40) {
		filter = append(filter, types.BoolType)
	}
	if g.Chance(50) {
		return g.loop("transformMapEntry", true, depth, append(filter, t)...)
	}
	key, value := t.Parameters()[0], t.Parameters()[1]
	from := g.typeOfDepth(1)
	return g.loopOver(g.closed(types.NewMapType(key, from), depth-1), "transformMap", true, key, key, from, depth, append(filter, value)...)
}

func (g *Typed) bind(t *types.Type, depth int) string {
	bound, name := g.anyType(), g.name()
	return fmt.Sprintf("cel.bind(%s, %s, %s)", name, g.expression(bound, depth-1),
		g.with(func() string { return g.expression(t, depth-1) }, variable{name, bound}))
}

// selection takes a value of type t out of a list, map or optional.
func (g *Typed) selection(t *types.Type, depth int) string {
	switch g.IntN(5) {
	case 0:
		return g.receiver(g.expression(types.NewListType(t), depth-1)) + "[" + Pick(g.Source, "0", "1", "5", "-1", "dyn(0)", "dyn(1.0)", "dyn(0u)") + "]"
	case 1:
		return g.receiver(g.expression(types.NewMapType(types.StringType, t), depth-1)) + Pick(g.Source, ".a", `["a"]`, ".gpu", `["b"]`)
	case 2:
		return g.receiver(g.expression(types.NewOptionalType(t), depth-1)) + ".orValue(" + g.expression(t, depth-1) + ")"
	case 3:
		return g.receiver(g.expression(types.NewOptionalType(t), depth-1)) + ".value()"
	}
	return "(" + g.expression(types.BoolType, depth-1) + " ? " + g.expression(t, depth-1) + " : " + g.expression(t, depth-1) + ")"
}
