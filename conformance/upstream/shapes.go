package upstream

import (
	"encoding/json"
	"regexp"
)

var (
	inBrackets = regexp.MustCompile(`\[[^\]]*\]`)
	quoted     = regexp.MustCompile("(?s)\"(?:[^\"\\\\]|\\\\.)*\"|\\{.*\\}|\\[.*\\]|-?\\d+(?:\\.\\d+)?[A-Za-z]*")
)

// Shapes names the kinds of errors in an answer, without names and values: two objects with the same mistake give one shape.
func Shapes(question []byte, answer any) []string {
	var asked struct {
		Operation string
		Object    struct{ Kind string }
	}
	if json.Unmarshal(question, &asked) != nil {
		return nil
	}
	prefix := asked.Object.Kind + " " + asked.Operation + " "
	switch answer := answer.(type) {
	case Undecodable:
		return []string{prefix + "undecodable"}
	case Senseless:
		return []string{prefix + "senseless"}
	case *Verdict:
		return verdictShapes(prefix, answer)
	}
	return nil
}

func verdictShapes(prefix string, verdict *Verdict) []string {
	shapes := []string{}
	for _, problem := range verdict.Errors {
		field := inBrackets.ReplaceAllString(problem.Field, "[]")
		shapes = append(shapes, prefix+problem.Type+" "+field+": "+quoted.ReplaceAllString(problem.Message, "_"))
	}
	for _, path := range verdict.Dropped {
		shapes = append(shapes, prefix+"dropped "+inBrackets.ReplaceAllString(path, "[]"))
	}
	if len(verdict.Warnings) > 0 {
		shapes = append(shapes, prefix+"warned")
	}
	if len(verdict.Errors) == 0 {
		shapes = append(shapes, prefix+"accepted")
	}
	return shapes
}
