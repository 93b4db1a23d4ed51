// Package jsonpath compares quadra's -o jsonpath with k8s.io/client-go/util/jsonpath, as kubectl uses it.
package jsonpath

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/util/jsonpath"

	"quadra/conformance/dice"
	"quadra/conformance/peer"
)

type question struct {
	Template string          `json:"template"`
	Document json.RawMessage `json:"document"`
}

type answer struct {
	Text  *string `json:"text,omitempty"`
	Error *string `json:"error,omitempty"`
}

func TestJSONPath(t *testing.T) {
	peer.Comparison{
		Name:     "jsonpath",
		Module:   "client-go-v0.37.1",
		Default:  100_000,
		Recorded: 2_000,
		Ask:      func(random *rand.Rand, _ int) any { return ask(generator{dice.Dice{Rand: random}}) },
		Answer:   func(line []byte) any { return reply(line) },
	}.Run(t)
}

// integerType matches the names of the integer types that only Go has: of numbers in the template, and of bytes of strings.
var integerType = regexp.MustCompile(`^(int|uint8) is not array`)

// ask draws again where upstream panics: it does on lists it looks for in nothing, and on values it cannot compare.
func ask(g generator) question {
	for {
		q := question{Template: g.template(), Document: g.document()}
		if _, panicked := fill(q); !panicked {
			return q
		}
	}
}

func reply(line []byte) answer {
	var q question
	if err := json.Unmarshal(line, &q); err != nil {
		panic(err)
	}
	a, _ := fill(q)
	return a
}

func fill(q question) (a answer, panicked bool) {
	defer func() {
		if recover() != nil {
			panicked = true
		}
	}()
	path := jsonpath.New("out").AllowMissingKeys(true)
	if err := path.Parse(q.Template); err != nil {
		return failure("error parsing jsonpath %s, %v", q.Template, err), false
	}
	var document any
	if err := kjson.Unmarshal(q.Document, &document); err != nil {
		panic(err)
	}
	var out bytes.Buffer
	if err := path.Execute(&out, document); err != nil {
		quoted, _ := json.Marshal(q.Template)
		return failure("error executing jsonpath %s: %s", quoted, integerType.ReplaceAllString(err.Error(), "int64 is not array")), false
	}
	text := strings.ToValidUTF8(out.String(), "\ufffd")
	return answer{Text: &text}, false
}

func failure(format string, arguments ...any) answer {
	text := strings.ToValidUTF8(fmt.Sprintf(format, arguments...), "\ufffd")
	return answer{Error: &text}
}
