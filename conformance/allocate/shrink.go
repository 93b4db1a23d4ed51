package allocate

import (
	"bytes"
	"encoding/json"
)

// Shrink drops parts of a question (objects, list items, fields) as long as differs holds of what remains.
func Shrink(question []byte, differs func(question []byte) bool) []byte {
	return ShrinkKeeping(outcome, question, differs)
}

// ShrinkKeeping does so as long as the outcome, which is upstream's answer in a word or two, stays too.
func ShrinkKeeping(outcome func(question []byte) (string, error), question []byte, differs func(question []byte) bool) []byte {
	decoder := json.NewDecoder(bytes.NewReader(question))
	decoder.UseNumber()
	var root any
	if decoder.Decode(&root) != nil {
		return question
	}
	s := &shrinker{root: root, smallest: question, differs: differs, outcomeOf: outcome}
	s.outcome, _ = outcome(question)
	for before := -1; before != len(s.smallest); {
		before = len(s.smallest)
		s.visit(root, func(with any) { s.root = with })
	}
	return s.smallest
}

type shrinker struct {
	root      any
	smallest  []byte
	outcome   string // upstream's, which stays
	outcomeOf func(question []byte) (string, error)
	differs   func(question []byte) bool
}

// outcome is upstream's answer in a word or two.
func outcome(question []byte) (string, error) {
	answer, err := Reply(question)
	if answer.Fatal != nil {
		return kind(answer.Message), err
	}
	return answer.Result, err
}

// still tells whether the answers to what is left differ. What upstream refuses to follow or panics on does not count.
func (s *shrinker) still() bool {
	text, err := json.Marshal(s.root)
	if err != nil || len(text) >= len(s.smallest) {
		return false
	}
	if found, err := s.outcomeOf(text); err != nil || found != s.outcome || !s.differs(text) {
		return false
	}
	s.smallest = text
	return true
}

// identifying fields stay, so that the world stays one that may be met.
var identifying = map[string]bool{"kind": true, "apiVersion": true, "metadata": true, "name": true, "driver": true, "pool": true,
	"device": true, "generation": true, "resourceSliceCount": true, "allocationMode": true, "count": true, "exactly": true,
	"int": true, "bool": true, "string": true, "version": true, "value": true, "operator": true, "effect": true, "key": true}

// visit drops what it can of value; replace puts another in its place.
func (s *shrinker) visit(value any, replace func(with any)) {
	switch value := value.(type) {
	case []any:
		s.visitList(value, replace)
	case map[string]any:
		s.visitFields(value)
	}
}

func (s *shrinker) visitList(list []any, replace func(with any)) {
	for i := len(list) - 1; i >= 0; i-- {
		shorter := append(append([]any{}, list[:i]...), list[i+1:]...)
		if replace(shorter); s.still() {
			list = shorter
			continue
		}
		replace(list)
		s.visit(list[i], func(with any) { list[i] = with })
	}
}

func (s *shrinker) visitFields(fields map[string]any) {
	for name := range ordered(fields) {
		value := fields[name]
		if identifying[name] {
			continue
		}
		if delete(fields, name); s.still() {
			continue
		}
		fields[name] = value
		s.visit(value, func(with any) { fields[name] = with })
	}
}
