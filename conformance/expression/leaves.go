package expression

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/common/types"
)

// leaf is a variable, an attribute or a literal.
func (g *Typed) leaf(t *types.Type) string {
	if g.Chance(55) {
		if text, ok := g.fromScope(t); ok {
			return text
		}
	}
	switch {
	case g.Chance(30) && t.Kind() != types.NullTypeKind && t.Kind() != types.TypeKind && !isOptional(t):
		return g.attribute()
	case t.Kind() == types.StringKind && g.Chance(15):
		return "device.driver"
	case t.Kind() == types.BoolKind && g.Chance(15):
		return "device.allowMultipleAllocations"
	}
	return g.construct(t, 0)
}

func (g *Typed) fromScope(t *types.Type) (string, bool) {
	fitting := []string{}
	for _, v := range g.scope {
		if v.t.IsExactType(t) || v.t.Kind() == types.DynKind && g.Chance(40) {
			fitting = append(fitting, v.name)
		}
	}
	if len(fitting) == 0 {
		return "", false
	}
	return Pick(g.Source, fitting...), true
}

// attribute is device.attributes["domain"].id in one of its spellings.
func (g *Typed) attribute() string {
	id := Pick(g.Source, IDs...)
	if g.Chance(4) {
		id = "nope"
	}
	domain := Pick(g.Source, Domains...)
	if g.Chance(4) {
		domain = "nope"
	}
	base := fmt.Sprintf("device.attributes[%q]", domain)
	if domain == "d" && g.Chance(30) {
		base = "device.attributes.d"
	}
	switch {
	case g.Chance(85):
		return base + "." + id
	case g.Chance(60):
		return fmt.Sprintf("%s[%q]", base, id)
	}
	return base + ".`" + id + "`"
}

func (g *Typed) capacity() string {
	return fmt.Sprintf("device.capacity[%q].%s", Pick(g.Source, Domains...), Pick(g.Source, Memory...))
}

// construct makes a value of type t by a literal or its constructor.
func (g *Typed) construct(t *types.Type, depth int) string {
	switch t.Kind() {
	case types.ListKind:
		return g.list(t, depth)
	case types.MapKind:
		return g.mapping(t, depth)
	case types.TypeKind:
		return Pick(g.Source, "int", "string", "bool", "double", "uint", "bytes", "list", "map", "type", "null_type", "google.protobuf.Timestamp", "google.protobuf.Duration",
			"net.IP", "net.CIDR", "optional_type", "type(1)", "kubernetes.Quantity", "kubernetes.URL", "dyn")
	case types.DynKind, types.AnyKind:
		if g.Chance(60) {
			return g.attribute()
		}
		return "dyn(" + g.expression(Pick(g.Source, scalarTypes...), depth-1) + ")"
	}
	if isOptional(t) {
		return g.optional(t, depth)
	}
	if make, known := constructors[t.TypeName()]; known {
		return make(g)
	}
	panic("no constructor for " + t.String())
}

var constructors = map[string]func(*Typed) string{
	"bool": func(g *Typed) string { return Pick(g.Source, "true", "false") },
	"int": func(g *Typed) string {
		return Pick(g.Source, "0", "1", "2", "3", "7", "-1", "42", "100", "0x1F", "-0x10", "9223372036854775807", "-9223372036854775808", "4611686018427387904", "1000000")
	},
	"uint": func(g *Typed) string {
		return Pick(g.Source, "0u", "1u", "2u", "3U", "0xFFu", "18446744073709551615u", "9223372036854775808u")
	},
	"double": func(g *Typed) string {
		return Pick(g.Source, "0.0", "1.0", "-1.5", "2.5", "1e3", ".5", "1e308", "1e-320", "-0.0", "9223372036854775807.0", "123456.0", "1234567.0", "0.1", "1e21", "(0.0/0.0)", "(1.0/0.0)", "3.14159265358979")
	},
	"string":    func(g *Typed) string { return g.Literal(g.Text("any")) },
	"bytes":     func(g *Typed) string { return g.Bytes() },
	"null_type": func(*Typed) string { return "null" },
	"google.protobuf.Duration": func(g *Typed) string {
		return "duration(" + g.Literal(g.good("duration", "1s", "1h", "-5m", "0s", "1.5h", "100ms")) + ")"
	},
	"google.protobuf.Timestamp": func(g *Typed) string {
		return "timestamp(" + g.Literal(g.good("timestamp", "2024-01-02T03:04:05Z", "1970-01-01T00:00:00Z", "2024-02-29T12:00:00+05:30", "2023-12-31T23:59:59.999999999Z")) + ")"
	},
	"kubernetes.Quantity": func(g *Typed) string {
		if g.Chance(45) {
			return g.capacity()
		}
		return "quantity(" + g.Literal(g.Text("quantity")) + ")"
	},
	"kubernetes.Semver": func(g *Typed) string {
		return "semver(" + g.Literal(g.Text("semver")) + Pick(g.Source, "", "", "", ", true", ", false") + ")"
	},
	"net.IP":                 func(g *Typed) string { return "ip(" + g.Literal(g.Text("ip")) + ")" },
	"net.CIDR":               func(g *Typed) string { return "cidr(" + g.Literal(g.Text("cidr")) + ")" },
	"kubernetes.URL":         func(g *Typed) string { return "url(" + g.Literal(g.Text("url")) + ")" },
	"kubernetes.NamedFormat": func(g *Typed) string { return "format." + Pick(g.Source, texts["named"][:13]...) + "()" },
}

// good is mostly one of the choices that compile as a literal argument.
func (g *Typed) good(purpose string, choices ...string) string {
	if g.Chance(10) {
		return g.Text(purpose)
	}
	return Pick(g.Source, choices...)
}

func (g *Typed) list(t *types.Type, depth int) string {
	element := t.Parameters()[0]
	if element.Kind() == types.DynKind {
		element = Pick(g.Source, scalarTypes...)
	}
	values := []string{}
	for range Pick(g.Source, 0, 1, 1, 2, 2, 3, 4) {
		if g.Chance(6) {
			values = append(values, "?"+g.closed(types.NewOptionalType(element), depth-1))
		} else {
			values = append(values, g.closed(element, depth-1))
		}
	}
	return "[" + strings.Join(values, ", ") + Pick(g.Source, "]", "]", "]", "]", ",]")
}

func (g *Typed) mapping(t *types.Type, depth int) string {
	if t.Parameters()[0].Kind() == types.StringKind && t.Parameters()[1].Kind() == types.MapKind && g.Chance(60) {
		return Pick(g.Source, "device.attributes", "device.capacity")
	}
	if t.Parameters()[0].Kind() == types.StringKind && g.Chance(30) {
		return fmt.Sprintf("device.%s[%q]", Pick(g.Source, "attributes", "capacity"), Pick(g.Source, Domains...))
	}
	entries := []string{}
	for range Pick(g.Source, 0, 1, 1, 2, 2, 3) {
		key := g.closed(t.Parameters()[0], min(depth-1, 1))
		if g.Chance(6) {
			entries = append(entries, "?"+key+": "+g.closed(types.NewOptionalType(t.Parameters()[1]), depth-1))
		} else {
			entries = append(entries, key+": "+g.closed(t.Parameters()[1], depth-1))
		}
	}
	return "{" + strings.Join(entries, ", ") + Pick(g.Source, "}", "}", "}", "}", ",}")
}

func (g *Typed) optional(t *types.Type, depth int) string {
	inner := t.Parameters()[0]
	switch {
	case g.Chance(35):
		return "optional.of(" + g.expression(inner, depth-1) + ")"
	case g.Chance(25):
		return "optional.ofNonZeroValue(" + g.expression(inner, depth-1) + ")"
	case g.Chance(30):
		return "optional.none()"
	}
	return g.optionalField(depth)
}

// optionalField is a chain with at least one ?. or [?] in it.
func (g *Typed) optionalField(depth int) string {
	domain, id := Pick(g.Source, Domains...), Pick(g.Source, IDs...)
	switch g.IntN(7) {
	case 0:
		return fmt.Sprintf("device.?attributes[%q].%s", domain, id)
	case 1:
		return fmt.Sprintf("device.attributes[?%q].%s", domain, id)
	case 2:
		return fmt.Sprintf("device.attributes[?%q].?%s", domain, id)
	case 3:
		return fmt.Sprintf("device.capacity[%q].?%s", domain, Pick(g.Source, Memory...))
	case 4:
		return fmt.Sprintf("%s.?%s", g.mapping(types.NewMapType(types.StringType, Pick(g.Source, scalarTypes...)), depth), Pick(g.Source, "a", "b", "model"))
	case 5:
		return fmt.Sprintf("%s.?%s.orValue({}).?%s", g.attribute(), "x", "y")
	}
	return fmt.Sprintf("device.attributes[%q].?%s", domain, id)
}
