package expression

import (
	"fmt"
	"strings"
)

// Garbage is for lexer and parser: tokens in any order, odd escapes, deep nesting around the limits.
func (s Source) Garbage() string {
	switch {
	case s.Chance(50):
		return s.tokens()
	case s.Chance(60):
		return s.oddLiteral()
	case s.Chance(90):
		return s.characters()
	}
	return s.nested()
}

var pieces = []string{"(", ")", "[", "]", "{", "}", ",", ".", ":", "?", "!", "-", "+", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&&", "||", " in ", "=", "&", "|", ".?", "[?", "//x\n", "\n", " ", "\t", "\r\n",
	"\f", "1", "1u", "1.5", "1e", "0x", "0xg", "1.", ".1", "\"a\"", "'b'", "b'c'", "r'd'", "\"", "'", "`a`", "`", "`a-b/c.d e`", "\\", "#", "$", "@", "^", "~", ";", "é", "日", "😀", "\u00a0", "\ufeff", "\x00", "\x7f", "true", "false", "null", "has(a.b)",
	"1 ", "a", "b.c", "has(a)", "[].all(x, true)", "in", "as", "for", "const", "else", "function", "return", "var"}

func (s Source) tokens() string {
	out := ""
	for range 1 + s.IntN(9) {
		if s.Chance(30) {
			out += Pick(s, words...)
		} else {
			out += Pick(s, pieces...)
		}
	}
	return out
}

func (s Source) characters() string {
	out := ""
	for range 1 + s.IntN(20) {
		if s.Chance(85) {
			out += string(rune(32 + s.IntN(95)))
		} else {
			out += Pick(s, "\n", "\t", "\r", "é", "ω", "😀", "\x00", "\x01", "\u2028", "\ufffd", "\v", "\U0010ffff")
		}
	}
	return out
}

func (s Source) oddLiteral() string {
	body := ""
	for range s.IntN(5) {
		body += Pick(s, "a", "\\n", "\\x41", "\\x4", "\\u0041", "\\u004", "\\ud800", "\\udfff", "\\U00010000", "\\U00110000", "\\U0000d800", "\\101", "\\377", "\\400", "\\8", "\\08", "\\?", "\\`", "\\a\\b\\f\\r\\t\\v", "\\'", "\\\"",
			"\\\\", "\\", "\\z", "\\/", "é", "😀", "\n", "\\\n", "'", "\"", "\\X41", "\\0", "\\xff", "\\000", "\t", "\r")
	}
	quote := Pick(s, `"`, `'`, `"""`, `'''`)
	literal := Pick(s, "", "", "r", "R", "b", "B", "br", "rb", "bR", "u", "f") + quote + body + quote
	if s.Chance(20) {
		literal = Pick(s, "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "--9223372036854775808", "---9223372036854775808", "18446744073709551615u", "18446744073709551616u", "-1u",
			"0x8000000000000000", "-0x8000000000000000", "0xFFFFFFFFFFFFFFFFu", "0x1FFFFFFFFFFFFFFFFu", "0X10", "1e309", "-1e309", "1e-400", "1E+5", "1.e3", "01", "00", "0u", "1.5u", "1_0", "0b1", "0o7", "1e1.5", ".5.5", "5..5", "0x1.8p3")
	}
	return fmt.Sprintf(Pick(s, "%s == %s", "%s", "%s.size() == 1", "[%s] == []", "{%s: 1} == {}", "device.driver == %s", "device.attributes[%s].x", "!%s", "-%s == 0", "%s in []", "%s + %[1]s == %[1]s"), literal, literal)
}

// nested is close to one of the limits on depth and length.
func (s Source) nested() string {
	depth := Pick(s, 5, 20, 50, 80)
	if s.Chance(12) {
		depth = 246 + s.IntN(8)
	}
	n := func(text string) string { return strings.Repeat(text, depth) }
	switch s.IntN(14) {
	case 0:
		return n("(") + "true" + n(")")
	case 1:
		return "1" + n(" + 1") + " > 0"
	case 2:
		return n("!") + "true"
	case 3:
		return n("-") + "1 < 0"
	case 4:
		return n("[") + "1" + n("]") + " == []"
	case 5:
		return "true" + n(" && true")
	case 6:
		return "false" + n(" || false")
	case 7:
		return "{}" + n(".a") + " == 1"
	case 8:
		return "[]" + n("[0]") + " == 1"
	case 9:
		return n("true ? ") + "true" + n(" : false")
	case 10:
		return "true" + n(" ? true : false")
	case 11:
		return n("size(") + "1" + n(")") + " == 1"
	case 12:
		depth = min(depth, 30)
		return n("[1].all(x, ") + "true" + n(")")
	}
	return "'a'" + n(" < 'a'")
}
