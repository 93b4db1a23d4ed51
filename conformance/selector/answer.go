// Package selector answers the questions of `quadra select --stream` with upstream's own code: the CEL compiler of
// k8s.io/dynamic-resource-allocation and the evaluation of one expression on one device.
//
// Not safe for concurrent use.
package selector

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
	dracel "k8s.io/dynamic-resource-allocation/cel"
	kjson "sigs.k8s.io/json"
)

// Question is one line of the stream.
type Question struct {
	Expression   *string         `json:"expression"`
	Device       Device          `json:"device"`
	Env          string          `json:"env,omitempty"`
	FeatureGates map[string]bool `json:"featureGates,omitempty"`
	As           string          `json:"as,omitempty"`
}

// Device is what ResourceSlice.spec.devices[] says of a device, and its driver.
type Device struct {
	Driver                   string                                                    `json:"driver,omitempty"`
	Attributes               map[resourceapi.QualifiedName]resourceapi.DeviceAttribute `json:"attributes,omitempty"`
	Capacity                 map[resourceapi.QualifiedName]resourceapi.DeviceCapacity  `json:"capacity,omitempty"`
	AllowMultipleAllocations *bool                                                     `json:"allowMultipleAllocations,omitempty"`
}

// Answer is one line back.
type Answer struct {
	Compile  string  `json:"compile"` // ok, error, input
	Result   *bool   `json:"result,omitempty"`
	Value    any     `json:"value,omitempty"`
	Error    *string `json:"error,omitempty"`
	Cost     *uint64 `json:"cost,omitempty"`
	Estimate *uint64 `json:"estimate,omitempty"`
	Message  string  `json:"message,omitempty"`
}

// Reply answers one line.
func Reply(line []byte) any { return reply(line, Message) }

// Compared is Reply without the words that may differ: a syntax error is told by its place, a line that is no question and a
// panic of upstream's compiler by nothing.
func Compared(line []byte) Answer { return reply(line, Place) }

func reply(line []byte, words func(*Compiled) string) Answer {
	question, err := Read(line)
	if err != nil {
		return Answer{Compile: "input", Message: words(&Compiled{Failure: err.Error(), Phase: PhaseInput})}
	}
	compiled := question.Compile()
	if compiled.Failure != "" {
		return Answer{Compile: "error", Message: words(compiled)}
	}
	answer := compiled.evaluate(question.device())
	answer.Compile, answer.Estimate = "ok", &compiled.Estimate
	return answer
}

// Read decodes and checks a question.
func Read(line []byte) (*Question, error) {
	question := &Question{}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(line, question); err != nil {
		return nil, err
	}
	if question.Expression == nil {
		return nil, errors.New("no expression")
	}
	if _, ok := environments[question.Env]; !ok {
		return nil, fmt.Errorf("env must be new or stored, not %q", question.Env)
	}
	if question.As != "" && question.As != "selector" && question.As != "derived" {
		return nil, fmt.Errorf("as must be selector or derived, not %q", question.As)
	}
	return question, nil
}

// device is the device as upstream's evaluation takes it.
func (q *Question) device() dracel.Device {
	return dracel.Device{Driver: q.Device.Driver, Attributes: q.Device.Attributes, Capacity: q.Device.Capacity,
		AllowMultipleAllocations: q.Device.AllowMultipleAllocations}
}

func (c *Compiled) evaluate(device dracel.Device) (answer Answer) {
	defer func() {
		if problem := recover(); problem != nil {
			text := fmt.Sprintf("panic: %v", problem)
			answer = Answer{Error: &text}
		}
	}()
	if c.derived {
		value, details, err := c.result.EvaluateDerivedAttribute(context.Background(), device)
		return outcome(details.ActualCost(), err, func(answer *Answer) { answer.Value = attributeValue(value) })
	}
	matches, details, err := c.result.DeviceMatches(context.Background(), device)
	return outcome(details.ActualCost(), err, func(answer *Answer) { answer.Result = &matches })
}

func outcome(cost *uint64, err error, set func(*Answer)) Answer {
	answer := Answer{Cost: cost}
	if err != nil {
		text := err.Error()
		answer.Error = &text
	} else {
		set(&answer)
	}
	return answer
}

// attributeValue is the JSON of the attribute; upstream's own leaves out an empty list.
func attributeValue(value *resourceapi.DeviceAttribute) any {
	if value.StringValues != nil && len(value.StringValues) == 0 {
		return json.RawMessage(`{"strings":[]}`)
	}
	return value
}

// Reduced spells our answer as upstream's, without the words that may differ.
func Reduced(upstream, ours []byte) []byte {
	var answer, theirs Answer
	if json.Unmarshal(ours, &answer) != nil || json.Unmarshal(upstream, &theirs) != nil {
		return ours
	}
	switch {
	case answer.Compile != theirs.Compile:
	case strings.HasPrefix(theirs.Message, SyntaxError):
		answer.Message = PlaceOf(answer.Message)
	case theirs.Message == "":
		answer.Message = ""
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return ours
	}
	return text
}
