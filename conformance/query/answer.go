package query

import (
	"encoding/json"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apiserver/pkg/storage"
)

type question struct {
	Type string `json:"type"` // labels, fields, continue, next
	Text string `json:"text"`
	// Labels or fields to choose by.
	Of map[string]string `json:"of,omitempty"`
	// Of the next page: its key is the text.
	Revision int64 `json:"revision,omitempty"`
}

type requirement struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"`
	Values   []string `json:"values"`
}

type answer struct {
	Requirements []requirement `json:"requirements,omitempty"`
	Matches      bool          `json:"matches,omitempty"`
	Key          string        `json:"key,omitempty"`
	Revision     int64         `json:"revision,omitempty"`
	Error        string        `json:"error,omitempty"`
}

func reply(line []byte) any {
	var q question
	if err := json.Unmarshal(line, &q); err != nil {
		panic(err)
	}
	switch q.Type {
	case "labels":
		return byLabels(q)
	case "fields":
		return byFields(q)
	case "continue":
		key, revision, err := storage.DecodeContinue(q.Text, "/registry/pods/")
		if err != nil {
			return answer{Error: withoutSyntax(err.Error())}
		}
		return answer{Key: key, Revision: revision}
	}
	token, err := storage.EncodeContinue(q.Text, "/registry/pods/", q.Revision)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Key: token}
}

func byLabels(q question) answer {
	selector, err := labels.Parse(q.Text)
	if err != nil {
		return answer{Error: strings.ToValidUTF8(err.Error(), "\ufffd")}
	}
	a := answer{Matches: selector.Matches(labels.Set(q.Of))}
	all, _ := selector.Requirements()
	for _, one := range all {
		a.Requirements = append(a.Requirements, requirement{one.Key(), string(one.Operator()), one.ValuesUnsorted()})
	}
	return a
}

func byFields(q question) answer {
	selector, err := fields.ParseSelector(q.Text)
	if err != nil {
		return answer{Error: strings.ToValidUTF8(err.Error(), "\ufffd")}
	}
	a := answer{Matches: selector.Matches(fields.Set(q.Of))}
	for _, one := range selector.Requirements() {
		a.Requirements = append(a.Requirements, requirement{one.Field, string(one.Operator), []string{one.Value}})
	}
	return a
}

// syntax matches Go's words for what is no JSON; ours are others.
var syntax = regexp.MustCompile(`^continue key is not valid: (invalid character|unexpected end of JSON|exceeded max depth).*$`)

func withoutSyntax(message string) string {
	return syntax.ReplaceAllString(strings.ToValidUTF8(message, "\ufffd"), "continue key is not valid: syntax")
}
