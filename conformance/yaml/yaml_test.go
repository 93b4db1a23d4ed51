// Package yaml compares reading and writing YAML with sigs.k8s.io/yaml.
package yaml

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

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

func answer(question []byte) any {
	var asked struct {
		YAML  *string
		Bytes []int
		Write json.RawMessage
	}
	if err := json.Unmarshal(question, &asked); err != nil {
		return map[string]string{"input": err.Error()}
	}
	if asked.YAML != nil {
		return answerRead([]byte(*asked.YAML))
	}
	if asked.Write != nil {
		return answerWrite(asked.Write)
	}
	text := make([]byte, len(asked.Bytes))
	for i, number := range asked.Bytes {
		text[i] = byte(number)
	}
	return answerRead(text)
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
		Answer: func(line []byte) any { return encode(answer(line)) },
	}.Run(t)
}
