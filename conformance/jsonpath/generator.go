package jsonpath

import (
	"encoding/json"
	"fmt"
	"strings"

	"quadra/conformance/dice"
)

type generator struct{ dice.Dice }

var names = []string{"a", "b", "c", "name", "k.io/x"}

// document is an object whose objects have one member at most: upstream visits the members of an object in random order.
func (g generator) document() json.RawMessage {
	text, err := json.Marshal(g.value(4))
	if err != nil {
		panic(err)
	}
	return text
}

func (g generator) value(depth int) any {
	if depth > 0 && g.Chance(70) {
		if g.Chance(50) {
			return g.object(depth)
		}
		list := make([]any, g.IntN(4))
		for i := range list {
			list[i] = g.value(depth - 1)
		}
		return list
	}
	return dice.Pick[any](g, nil, true, false, 0, 1, 2, -7, json.Number("0.5"), json.Number("1e-7"), json.Number("1e21"), json.Number("12345678901234567890"),
		json.Number("0.00001"), json.Number("2.0"), "", "a", "b", "text <&>", "é\n", "1")
}

func (g generator) object(depth int) map[string]any {
	object := map[string]any{}
	if g.Chance(90) {
		object[dice.Pick(g, names...)] = g.value(depth - 1)
	}
	return object
}

func (g generator) template() string {
	var out strings.Builder
	open := 0
	for range 1 + g.IntN(4) {
		switch n := g.IntN(12); {
		case n < 2:
			out.WriteString(dice.Pick(g, " ", "text", "é", ",", "\n", "x=", "}"))
		case n < 4:
			fmt.Fprintf(&out, "{range %s}", g.path(3))
			open++
		case n < 5 && open > 0:
			out.WriteString("{end}")
			open--
		default:
			fmt.Fprintf(&out, "{%s}", g.path(3))
		}
	}
	for ; open > 0; open-- {
		if g.Chance(90) {
			out.WriteString("{end}")
		}
	}
	if g.Chance(15) {
		return g.damaged(out.String())
	}
	return out.String()
}

// damaged leaves out, doubles or replaces a byte.
func (g generator) damaged(text string) string {
	at := g.IntN(len(text) + 1)
	end := min(at+g.IntN(2), len(text))
	return strings.ToValidUTF8(text[:at]+dice.Pick(g, "", "[", "]", "{", "}", "(", ")", "?", "'", "\"", "\\", ".", "*", "@", "-", "=", "1", ",", ":", "!")+text[end:], "")
}

func (g generator) path(depth int) string {
	if g.Chance(8) {
		return dice.Pick(g, `"text"`, `'it'`, `"\n"`, `"a\"b"`, `'\u00e9\x41\101'`, `"\q"`, "5", "-1", "+2.50", "true", "false", "end", "what", "", "1e5", "12345678901234567890", "1.2.3")
	}
	out := dice.Pick(g, "", "", "", "@", "$", " ")
	for range 1 + g.IntN(3) {
		out += g.step(depth)
	}
	return out
}

func (g generator) step(depth int) string {
	switch n := g.IntN(14); {
	case n < 5:
		return "." + g.name()
	case n < 6:
		return ".." + dice.Pick(g, "", g.name())
	case n < 7:
		return ".*"
	case n < 8:
		return "['" + g.name() + "']"
	case n < 10:
		return "[" + dice.Pick(g, "*", "", "0", "1", "-1", "-2", "0:1", "1:", ":2", ":-1", "::2", "0:3:2", "1:1", "2:1", "::0", "::-1", "5", "x", "-", "0,1", "0, -1", "'a','b'", "*,0", "99999999999999999999", "9223372036854775807") + "]"
	case n < 12 && depth > 0:
		return g.filter(depth)
	default:
		return dice.Pick(g, ".", "[0]", "[*]", " ")
	}
}

func (g generator) name() string { return strings.ReplaceAll(dice.Pick(g, names...), ".", `\.`) }

func (g generator) filter(depth int) string {
	left := "@" + dice.Pick(g, "", "."+g.name(), g.step(depth-1))
	if g.Chance(25) {
		return "[?(" + left + ")]"
	}
	right := dice.Pick(g, `"a"`, `'b'`, `"text <&>"`, "1", "0", "0.5", "2.0", "true", "@."+g.name(), ")", `")"`, g.path(0))
	return "[?(" + left + dice.Pick(g, "==", "!=", "<", "<=", ">", ">=", "=", "<>", "") + dice.Pick(g, "", " ") + right + ")]"
}
