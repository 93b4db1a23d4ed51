// Package yaml compares reading and writing YAML with sigs.k8s.io/yaml.
package yaml

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	goyaml "go.yaml.in/yaml/v2"
	"sigs.k8s.io/yaml"

	"quadra/conformance/peer"
)

type readAnswer struct {
	JSON   *string `json:"json,omitempty"`
	Strict *bool   `json:"strict,omitempty"`
	Error  bool    `json:"error,omitempty"`
}

func answerRead(text []byte) any {
	converted, err := yaml.YAMLToJSON(text)
	if err != nil {
		return readAnswer{Error: true}
	}
	_, err = yaml.YAMLToJSONStrict(text)
	result, strict := string(converted), err == nil
	return readAnswer{JSON: &result, Strict: &strict}
}

type writeAnswer struct {
	YAML      string `json:"yaml"`
	ReadsBack bool   `json:"readsBack"`
}

// answerWrite is upstream's spelling, and whether it still means the same value.
func answerWrite(value []byte) any {
	written, err := yaml.JSONToYAML(value)
	if err != nil {
		return readAnswer{Error: true}
	}
	meant, err := yaml.YAMLToJSON(value)
	if err != nil {
		return readAnswer{Error: true}
	}
	read, err := yaml.YAMLToJSON(written)
	return writeAnswer{YAML: string(written), ReadsBack: err == nil && bytes.Equal(meant, read)}
}

type question struct {
	YAML  *string
	Bytes []int
	Write json.RawMessage
}

// text is the document asked about. REQUIRES: not Write.
func (q question) text() []byte {
	if q.YAML != nil {
		return []byte(*q.YAML)
	}
	text := make([]byte, len(q.Bytes))
	for i, number := range q.Bytes {
		text[i] = byte(number)
	}
	return text
}

func answer(line []byte) any {
	var asked question
	if err := json.Unmarshal(line, &asked); err != nil {
		return map[string]string{"input": err.Error()}
	}
	if asked.Write != nil {
		return answerWrite(asked.Write)
	}
	return answerRead(asked.text())
}

// deviates covers two rows of docs/deviations.md: two byte order marks at the start, and text behind the first document
// that upstream cannot read either, but did not look at.
func deviates(line, upstream, ours []byte) bool {
	var asked question
	var theirs, read readAnswer
	if json.Unmarshal(line, &asked) != nil || json.Unmarshal(upstream, &theirs) != nil || json.Unmarshal(ours, &read) != nil {
		return false
	}
	text := asked.text()
	return bytes.HasPrefix(text, []byte("\ufeff\ufeff")) || !theirs.Error && read.Error && !readableToTheEnd(text)
}

func readableToTheEnd(text []byte) bool {
	decoder := goyaml.NewDecoder(bytes.NewReader(text))
	for {
		var value any
		if err := decoder.Decode(&value); err != nil {
			return err == io.EOF
		}
	}
}

// asGood judges what we write where upstream's order of keys is no order ("02000", "0b2", "3", "02000") and its text
// depends on the order of a Go map: ours must mean the same and have the same lines in another order.
func asGood(line, upstream, ours []byte) bool {
	var asked question
	var theirs, written writeAnswer
	if json.Unmarshal(line, &asked) != nil || json.Unmarshal(upstream, &theirs) != nil || json.Unmarshal(ours, &written) != nil {
		return false
	}
	meant, err := yaml.YAMLToJSON(asked.Write)
	if err != nil {
		return false
	}
	read, err := yaml.YAMLToJSON([]byte(written.YAML))
	return err == nil && bytes.Equal(meant, read) && slices.Equal(sortedLines(theirs.YAML), sortedLines(written.YAML))
}

// sortedLines are the lines of a text without the dashes and question marks in front: which key of a mapping comes first
// decides which line has them.
func sortedLines(text string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		content := strings.TrimLeft(line, " -?")
		lines[i] = strings.Repeat(" ", len(line)-len(content)) + content
	}
	slices.Sort(lines)
	return lines
}

// encode escapes as Go does by default.
func encode(value any) json.RawMessage {
	line, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return line
}

func TestYAML(t *testing.T) {
	peer.Comparison{
		Name:     "yaml",
		Module:   "sigs-yaml-v1.6.0",
		Default:  100_000,
		Recorded: 1500,
		Ask: func(random *rand.Rand, i int) any {
			return ask(random)
		},
		Answer:   func(line []byte) any { return encode(answer(line)) },
		AsGood:   asGood,
		Deviates: deviates,
	}.Run(t)
}
