package expression

import (
	"fmt"
	"regexp"
	"strings"
)

// attributeLetter finds A and C where they stand for the device's maps, not inside a text.
var attributeLetter = regexp.MustCompile(`\b[AC]\b`)

func splitLines(text string) []string {
	lines := []string{}
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

var lexeme = regexp.MustCompile(`(?s)[rRbB]{0,2}("""(?:[^\\]|\\.)*?"""|'''(?:[^\\]|\\.)*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|[A-Za-z_][A-Za-z_0-9]*|0x[0-9a-fA-F]+[uU]?|[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?[uU]?|[&|=!<>]{2}|\s+|.`)

// Mutate changes one to four places of a seed.
func (s Source) Mutate(seeds []string) string {
	tokens := lexeme.FindAllString(Pick(s, seeds...), -1)
	if len(tokens) > 400 {
		tokens = tokens[:400]
	}
	for range Pick(s, 1, 1, 1, 2, 2, 3, 4) {
		tokens = s.change(tokens, seeds)
	}
	text := strings.Join(tokens, "")
	if s.Chance(12) {
		text = fmt.Sprintf(Pick(s, "(%s) || true", "!(%s)", "dyn(%s)", "[%s][0]", "cel.bind(z, %s, z)", "(%s) == true", "optional.of(%s).hasValue()", "(%s) ? true : false",
			"{'k': %s}.k", "[1, 2].exists(x, %s)", "has(device.driver) && %s", "%s || %[1]s", "(%s) && (%[1]s)", "type(%s) == bool", "[%s].map(x, x)[0]", "string(%s) == 'true'"), text)
	}
	return text
}

func (s Source) change(tokens, seeds []string) []string {
	if len(tokens) == 0 {
		return lexeme.FindAllString(Pick(s, seeds...), -1)
	}
	at := s.IntN(len(tokens))
	out := append([]string{}, tokens...)
	switch s.IntN(10) {
	case 0:
		return append(out[:at], out[at+1:]...)
	case 1:
		other := s.IntN(len(out))
		out[at], out[other] = out[other], out[at]
	case 2, 3, 4:
		out[at] = s.replacement(out[at])
	case 5:
		out[at] = s.wrapped(out[at])
	case 6:
		other := lexeme.FindAllString(Pick(s, seeds...), -1)
		from := s.IntN(len(other))
		to := min(len(other), from+1+s.IntN(6))
		return append(out[:at:at], append(other[from:to:to], tokens[min(len(tokens), at+s.IntN(4)):]...)...)
	case 7:
		out[at] += Pick(s, words...)
	case 8:
		out[at] = Pick(s, "!", "-", "(", ")", ".", ",", "?", " ", "[", "]") + out[at]
	case 9:
		out[at] = strings.Repeat(out[at], 2)
	}
	return out
}

// replacement is a token of the same class.
func (s Source) replacement(old string) string {
	if old == "" {
		return Pick(s, words...)
	}
	first := old[:1]
	switch {
	case strings.ContainsAny(first, `"'`):
		return s.Literal(s.Text(Pick(s, purposes...)))
	case strings.ContainsAny(first, "0123456789"):
		return Pick(s, "0", "1", "2", "-1", "1u", "1.0", "1.5", "9223372036854775807", "9223372036854775808", "18446744073709551615u", "0x10", "1e3", "dyn(1)", "100", "null")
	case strings.ContainsAny(first, "+-*/%<>=!&|"):
		return Pick(s, "+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&&", "||", " in ")
	case first[0] == '_' || first[0] >= 'A' && first[0] <= 'z':
		return Pick(s, words...)
	}
	return Pick(s, ".", ",", "(", ")", "[", "]", "{", "}", "?", ":", " ", "", ".?", "[?")
}

func (s Source) wrapped(old string) string {
	return fmt.Sprintf(Pick(s, "(%s)", "dyn(%s)", "[%s]", "{'a': %s}", "optional.of(%s)", "type(%s)", "string(%s)", "int(%s)", "size(%s)", "!%s", "-%s", "double(%s)", "`%s`"), old)
}

var words = []string{"device", "attributes", "capacity", "driver", "allowMultipleAllocations", "x", "y", "true", "false", "null", "in", "has", "all", "exists", "exists_one",
	"existsOne", "map", "filter", "sortBy", "transformList", "transformMap", "transformMapEntry", "optMap", "optFlatMap", "cel", "bind", "size", "string", "int", "uint", "double",
	"bytes", "bool", "type", "dyn", "duration", "timestamp", "quantity", "semver", "ip", "cidr", "url", "matches", "find", "findAll", "format", "named", "validate", "value", "orValue",
	"or", "hasValue", "optional", "of", "none", "ofNonZeroValue", "unwrap", "unwrapOpt", "first", "last", "sort", "distinct", "reverse", "slice", "flatten", "lists", "range", "sets", "contains",
	"intersects", "equivalent", "startsWith", "endsWith", "charAt", "indexOf", "lastIndexOf", "join", "split", "replace", "substring", "trim", "lowerAscii", "upperAscii", "strings", "quote",
	"isSorted", "sum", "min", "max", "includes", "isInteger", "asInteger", "asApproximateFloat", "sign", "add", "sub", "compareTo", "isGreaterThan", "isLessThan", "major", "minor", "patch",
	"isQuantity", "isSemver", "isIP", "isCIDR", "isURL", "containsIP", "containsCIDR", "masked", "prefixLength", "family", "isLoopback", "isCanonical", "getHost", "getQuery", "getHours",
	"getFullYear", "getDayOfWeek", "getSeconds", "getMilliseconds", "model", "ver", "n", "ok", "uuid", "numa", "tags", "sizes", "vers", "flags", "empty", "odd", "memory", "cores", "nope", "e",
	"net.IP", "google.protobuf.Timestamp", "namespace", "package", "as", "break", "if", "import", "let", "loop", "void", "while", "kubernetes", "authorizer", "@result", "__result__", "gpu"}
