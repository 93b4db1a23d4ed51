package yaml

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf8"

	goyaml "go.yaml.in/yaml/v2"
)

// ask makes one question: a document in one of several degrees of disorder.
func ask(random *rand.Rand) any {
	if random.IntN(5) == 0 {
		return map[string]any{"write": value(random, 4)}
	}
	for {
		text := document(random)
		if !ambiguous(text) {
			return readQuestion(text)
		}
	}
}

func readQuestion(text string) any {
	if utf8.ValidString(text) {
		return map[string]string{"yaml": text}
	}
	numbers := make([]int, len(text))
	for i := range len(text) {
		numbers[i] = int(text[i])
	}
	return map[string][]int{"bytes": numbers}
}

// ambiguous tells whether upstream's answer depends on the order of a Go map: keys that differ in YAML only.
func ambiguous(text string) bool {
	var value any
	if goyaml.Unmarshal([]byte(text), &value) != nil {
		return false
	}
	return hasCollision(value)
}

func hasCollision(value any) bool {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			if hasCollision(item) {
				return true
			}
		}
	case map[any]any:
		seen := map[string]bool{}
		for key, item := range value {
			spelled := fmt.Sprint(key)
			if number, ok := key.(float64); ok {
				spelled = fmt.Sprint(float32(number))
			}
			if seen[spelled] || hasCollision(item) {
				return true
			}
			seen[spelled] = true
		}
	}
	return false
}

func document(random *rand.Rand) string {
	switch random.IntN(10) {
	case 0, 1, 2, 3:
		return newWriter(random).document()
	case 4, 5:
		return mutate(random, newWriter(random).document())
	case 6:
		return mutate(random, pick(random, manifests))
	case 7:
		return lines(random)
	case 8:
		return soup(random, alphabet, 1+random.IntN(40))
	default:
		return scalarDocument(random)
	}
}

func pick[T any](random *rand.Rand, list []T) T { return list[random.IntN(len(list))] }

// soup strings together pieces without any plan.
func soup(random *rand.Rand, pieces []string, n int) string {
	var out strings.Builder
	for range n {
		out.WriteString(pick(random, pieces))
	}
	return out.String()
}

// lines makes lines of pieces at arbitrary indentation.
func lines(random *rand.Rand) string {
	var out strings.Builder
	for range 1 + random.IntN(12) {
		out.WriteString(strings.Repeat(" ", random.IntN(7)))
		out.WriteString(soup(random, linePieces, 1+random.IntN(4)))
		out.WriteString(pick(random, []string{"\n", "\n", "\n", "\n", "\r\n", "\n\n", "\r"}))
	}
	return out.String()
}

// scalarDocument puts one scalar, usual or odd, in a few places.
func scalarDocument(random *rand.Rand) string {
	scalar := pick(random, scalars)
	if random.IntN(2) == 0 {
		scalar = soup(random, scalarPieces, 1+random.IntN(6))
	}
	format := pick(random, []string{"%s", "a: %s", "%s: a", "- %s", "[%s]", "{%s: a}", "{a: %s}", "? %s", "- - %s\n  - b",
		"!!int %s", "!!float %s", "!!bool %s", "!!str %s", "!!null %s", "!!timestamp %s", "!!binary %s", "! %s", "!foo %s",
		"'%s'", "\"%s\"", "|\n %s", ">-\n %s", "a: &x %s\nb: *x", "--- %s", "%s # c", "a: |2\n   %s\n  b", "!!int \"%s\"", "! '%s'"})
	return fmt.Sprintf(format, scalar)
}

// mutate damages a text in one to three places.
func mutate(random *rand.Rand, text string) string {
	bytes := []byte(text)
	for range 1 + random.IntN(3) {
		if len(bytes) == 0 {
			break
		}
		at := random.IntN(len(bytes))
		end := min(at+1+random.IntN(4), len(bytes))
		insert := pick(random, alphabet)
		switch random.IntN(6) {
		case 0:
			bytes = append(bytes[:at:at], bytes[end:]...)
		case 1:
			bytes = append(append(bytes[:at:at], insert...), bytes[at:]...)
		case 2:
			bytes = append(append(bytes[:at:at], insert...), bytes[end:]...)
		case 3:
			bytes = append(append(bytes[:end:end], bytes[at:end]...), bytes[end:]...)
		case 4:
			bytes = bytes[:at]
		case 5:
			bytes[at] = byte(random.IntN(256))
		}
	}
	return string(bytes)
}

// value makes any JSON value.
func value(random *rand.Rand, depth int) any {
	switch kind := random.IntN(10); {
	case depth > 0 && kind < 3:
		members := map[string]any{}
		for range random.IntN(6) {
			members[key(random)] = value(random, depth-1)
		}
		return members
	case depth > 0 && kind < 5:
		items := make([]any, random.IntN(5))
		for i := range items {
			items[i] = value(random, depth-1)
		}
		return items
	case kind < 8:
		return text(random)
	case kind < 9:
		return json.RawMessage(pick(random, numbers))
	default:
		return pick(random, []any{nil, true, false})
	}
}

// text makes a string that may need quotes, folding or a block. It has none of the characters that JSON leaves unescaped
// and YAML does not accept or takes for line breaks: upstream reads the JSON as YAML before it writes. Nor has it byte order
// marks: behind one, upstream escapes everything, and what it writes does not read back. A line separator at the end is
// written with other spaces behind it.
func text(random *rand.Rand) string {
	return strings.TrimRight(unreadable.Replace(strings.ToValidUTF8(anyText(random), "?")), "\u2028")
}

var unreadable = strings.NewReplacer("\u0085", "", "\x7f", "", "\ufeff", "")

// key is a text whose characters beyond ASCII are letters: only those are sorted as upstream does. It is not <<, which
// upstream writes as a merge.
func key(random *rand.Rand) string {
	key := symbols.Replace(text(random))
	if key == "<<" {
		return ""
	}
	return key
}

var symbols = strings.NewReplacer("😀", "", "\u2028", "", "\u00a0", "")

func anyText(random *rand.Rand) string {
	switch random.IntN(8) {
	case 0:
		return pick(random, scalars)
	case 1:
		return soup(random, alphabet, random.IntN(8))
	case 2:
		return soup(random, textPieces, random.IntN(40))
	case 3:
		return soup(random, scalarPieces, 1+random.IntN(4))
	case 4:
		return soup(random, linePieces, 1+random.IntN(4))
	default:
		return pick(random, []string{"a", "b", "key", "name", "a1", "a2", "a10", "a01", "A", "spec", "gpu.example.com/x", "-x", "_", "10", "9", "a-b", "some words", "x_y"})
	}
}
