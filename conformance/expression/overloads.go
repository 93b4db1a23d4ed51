package expression

import (
	"sort"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// overload is one row of upstream's table.
type overload struct {
	function, id string
	member       bool
	arguments    []*types.Type
	result       *types.Type
}

// Table holds the overloads that an expression can call by name or operator, and those that macros reach.
type Table struct {
	callable  []overload
	byKind    map[types.Kind][]int // callable, by kind of result; those of any type are in all lists
	reachable map[string]bool
	used      []int
}

// NewTable reads the environment's declarations.
func NewTable(env *cel.Env) *Table {
	table := &Table{byKind: map[types.Kind][]int{}, reachable: map[string]bool{}}
	names := []string{}
	for name := range env.Functions() {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		for _, declared := range env.Functions()[name].OverloadDecls() {
			table.add(overload{name, declared.ID(), declared.IsMemberFunction(), declared.ArgTypes(), declared.ResultType()})
		}
	}
	table.used = make([]int, len(table.callable))
	return table
}

func (t *Table) add(o overload) {
	if !reachable(o) {
		return
	}
	t.reachable[o.id] = true
	if _, special := operators[o.function]; !special && (o.function == "in" || strings.ContainsAny(o.function, "@_")) {
		return // reached by macros, or another spelling of an operator
	}
	index := len(t.callable)
	t.callable = append(t.callable, o)
	if o.result.Kind() != types.TypeParamKind {
		t.byKind[o.result.Kind()] = append(t.byKind[o.result.Kind()], index)
		return
	}
	for _, kind := range kinds {
		t.byKind[kind] = append(t.byKind[kind], index)
	}
}

// reachable: nothing yields an authorizer, and one overload is an alias that no syntax names.
func reachable(o overload) bool {
	for _, argument := range o.arguments {
		if strings.HasPrefix(argument.TypeName(), "kubernetes.authorization.") {
			return false
		}
	}
	return o.id != "__not_strictly_false__"
}

// Reachable is the set of overload ids that some expression can use.
func (t *Table) Reachable() map[string]bool { return t.reachable }

var kinds = []types.Kind{types.BoolKind, types.BytesKind, types.DoubleKind, types.DurationKind, types.DynKind, types.IntKind, types.ListKind, types.MapKind,
	types.NullTypeKind, types.OpaqueKind, types.StringKind, types.StructKind, types.TimestampKind, types.TypeKind, types.UintKind}

// operators are spelled otherwise than by name; $1 … are the operands.
var operators = map[string]string{
	"!_": "!$1", "-_": "-$1", "@in": "$1 in $2", "_!=_": "$1 != $2", "_%_": "$1 % $2", "_&&_": "$1 && $2", "_*_": "$1 * $2", "_+_": "$1 + $2",
	"_-_": "$1 - $2", "_/_": "$1 / $2", "_<=_": "$1 <= $2", "_<_": "$1 < $2", "_==_": "$1 == $2", "_>=_": "$1 >= $2", "_>_": "$1 > $2",
	"_?_:_": "$1 ? $2 : $3", "_[?_]": "$1[?$2]", "_[_]": "$1[$2]", "_||_": "$1 || $2", "_?._": "",
}

// purposeOf says what a string argument of a function is about.
var purposeOf = map[string]string{
	"quantity": "quantity", "isQuantity": "quantity", "semver": "semver", "isSemver": "semver", "ip": "ip", "isIP": "ip", "ip.isCanonical": "ip", "containsIP": "ip",
	"cidr": "cidr", "isCIDR": "cidr", "containsCIDR": "cidr", "url": "url", "isURL": "url", "matches": "regex", "find": "regex", "findAll": "regex", "duration": "duration",
	"timestamp": "timestamp", "int": "number", "uint": "number", "double": "number", "bool": "bool", "format.named": "named", "validate": "label",
	"getDate": "zone", "getDayOfMonth": "zone", "getDayOfWeek": "zone", "getDayOfYear": "zone", "getFullYear": "zone", "getHours": "zone", "getMilliseconds": "zone",
	"getMinutes": "zone", "getMonth": "zone", "getSeconds": "zone",
}

// bindings of type parameters while an overload is fitted to a wanted type.
type bindings map[string]*types.Type

// fit binds the parameters of a declared type so that it equals the wanted one.
func (b bindings) fit(declared, wanted *types.Type) bool {
	if declared.Kind() == types.TypeParamKind {
		if bound, ok := b[declared.TypeName()]; ok {
			return bound.IsExactType(wanted)
		}
		b[declared.TypeName()] = wanted
		return true
	}
	if declared.Kind() != wanted.Kind() || declared.TypeName() != wanted.TypeName() || len(declared.Parameters()) != len(wanted.Parameters()) {
		return false
	}
	for i, parameter := range declared.Parameters() {
		if !b.fit(parameter, wanted.Parameters()[i]) {
			return false
		}
	}
	return true
}

// ground replaces type parameters; one that is free gets a type of its own.
func (b bindings) ground(declared *types.Type, free func() *types.Type) *types.Type {
	if declared.Kind() == types.TypeParamKind {
		if b[declared.TypeName()] == nil {
			b[declared.TypeName()] = free()
		}
		return b[declared.TypeName()]
	}
	parameters := declared.Parameters()
	switch {
	case declared.Kind() == types.ListKind:
		return types.NewListType(b.ground(parameters[0], free))
	case declared.Kind() == types.MapKind:
		return types.NewMapType(b.ground(parameters[0], free), b.ground(parameters[1], free))
	case isOptional(declared):
		return types.NewOptionalType(b.ground(parameters[0], free))
	}
	return declared
}

func isOptional(t *types.Type) bool {
	return t.Kind() == types.OpaqueKind && t.TypeName() == "optional_type"
}
