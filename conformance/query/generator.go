package query

import (
	"encoding/base64"
	"fmt"
	"strings"

	"quadra/conformance/dice"
)

type generator struct{ dice.Dice }

var (
	keys   = []string{"a", "b", "app", "k8s.io/name", "in", "notin", "x-1", "spec.nodeName", "metadata.name"}
	values = []string{"", "a", "b", "web", "1", "5", "10", "in", "notin", "A.b_c-d"}
	odd    = []string{"-a", "a-", "a/b/c", "/a", "UPPER.io/x", "é", "\x00", "a b", "\"", strings.Repeat("x", 64), strings.Repeat("d", 254) + "/n", "+5", "99999999999999999999", "\\", "\\,", "\\=", "\\x", "a\\", "=", ",", "\n"}
)

func (g generator) key() string {
	if g.Chance(4) {
		return dice.Pick(g, odd...)
	}
	return dice.Pick(g, keys...)
}

func (g generator) value() string {
	if g.Chance(4) {
		return dice.Pick(g, odd...)
	}
	return dice.Pick(g, values...)
}

func (g generator) blank() string { return dice.Pick(g, "", "", "", "", " ", "\t", "  ") }

func (g generator) of() map[string]string {
	of := map[string]string{}
	for range g.IntN(4) {
		of[dice.Pick(g, keys...)] = dice.Pick(g, values...)
	}
	return of
}

func (g generator) labels() question {
	var parts []string
	for range g.IntN(4) {
		parts = append(parts, g.blank()+g.requirement()+g.blank())
	}
	return question{Type: "labels", Text: g.damaged(strings.Join(parts, ",")), Of: g.of()}
}

func (g generator) requirement() string {
	switch n := g.IntN(10); {
	case n < 2:
		return g.key()
	case n < 3:
		return "!" + g.blank() + g.key()
	case n < 6:
		return g.key() + g.blank() + dice.Pick(g, "=", "==", "!=", ">", "<") + g.blank() + g.value()
	default:
		var list []string
		for range g.IntN(4) {
			list = append(list, g.blank()+g.value()+g.blank())
		}
		return g.key() + " " + dice.Pick(g, "in", "notin") + g.blank() + "(" + strings.Join(list, ",") + ")"
	}
}

func (g generator) fields() question {
	var parts []string
	for range g.IntN(4) {
		parts = append(parts, g.key()+dice.Pick(g, "=", "==", "!=")+g.value())
	}
	return question{Type: "fields", Text: g.damaged(strings.Join(parts, ",")), Of: g.of()}
}

// damaged seldom leaves out, doubles or replaces a byte.
func (g generator) damaged(text string) string {
	if g.Chance(75) {
		return strings.ToValidUTF8(text, "")
	}
	at := g.IntN(len(text) + 1)
	end := min(at+g.IntN(2), len(text))
	return strings.ToValidUTF8(text[:at]+dice.Pick(g, "", "=", "!", "(", ")", ",", " ", "in", "\\", "<", "\x00", "é", "==")+text[end:], "")
}

func (g generator) token() question {
	content := fmt.Sprintf(`{"v":%s,"rv":%s,"start":%s}`, dice.Pick(g, `"meta.k8s.io/v1"`, `"meta.k8s.io/v1"`, `"meta.k8s.io/v1"`, `"meta.k8s.io/v1"`, `"v1"`, `null`, `5`, `""`, `{}`),
		dice.Pick(g, "1", "42", "-1", "9223372036854775807", "0", "1.5", "1e3", `"1"`, "null", "9223372036854775808", "true"),
		dice.Pick(g, `"default/a\u0000"`, `"a"`, `"/a/b"`, `"../a"`, `"a/../b"`, `"a//b"`, `"./a"`, `"a/"`, `"/"`, `""`, `"a/."`, `"/.."`, `"..."`, `"<&>"`, `"é"`, "null", "5", "[]"))
	switch g.IntN(12) {
	case 0:
		content = dice.Pick(g, "null", "[]", "5", `"x"`, "{}", "true", "", "{", `{"V":"meta.k8s.io/v1","RV":3,"Start":"x"}`, `{"v":"meta.k8s.io/v1","rv":3,"start":"x","start":"y","z":{}}`)
	case 1:
		content = g.damaged(content)
	}
	token := base64.RawURLEncoding.EncodeToString([]byte(content))
	switch g.IntN(12) {
	case 0:
		token = g.damaged(token)
	case 1:
		token += dice.Pick(g, "=", "==", "\n", "A", "+", " ")
	}
	return question{Type: "continue", Text: token}
}

func (g generator) next() question {
	return question{Type: "next", Text: dice.Pick(g, "/registry/pods/", "/registry/pods/", "/registry/pods", "/registry/nodes/", "") + dice.Pick(g, "", "default/a\x00", "é", "<&>", "a/b/c", "\x7f\u2028"), Revision: dice.Pick[int64](g, 1, 42, -1, 1<<62, 0)}
}
