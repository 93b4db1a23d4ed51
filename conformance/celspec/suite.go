// Package celspec runs the tests of the CEL specification: beside upstream's DRA environment, and against what they ask.
package celspec

import (
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	_ "cel.dev/expr/conformance/proto2" // messages that some files name
	_ "cel.dev/expr/conformance/proto3"
	spec "cel.dev/expr/conformance/test"
	"google.golang.org/protobuf/encoding/prototext"
)

// Test is one that needs no protobuf message.
type Test struct {
	File string // without .textproto
	Name string // section/test
	*spec.SimpleTest
}

// Load reads the suite's files from the module cache: the tests that need no message, and how many there are in all.
func Load() (tests []Test, total int, err error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "cel.dev/expr").Output()
	if err != nil {
		return nil, 0, err
	}
	paths, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "tests", "simple", "testdata", "*.textproto"))
	if err != nil {
		return nil, 0, err
	}
	sort.Strings(paths)
	for _, path := range paths {
		file, err := loadFile(path)
		if err != nil {
			return nil, 0, err
		}
		for _, section := range file.Section {
			total += len(section.Test)
			for _, test := range section.Test {
				if !needsMessage(test) {
					tests = append(tests, Test{strings.TrimSuffix(filepath.Base(path), ".textproto"), section.Name + "/" + test.Name, test})
				}
			}
		}
	}
	return tests, total, nil
}

func loadFile(path string) (*spec.SimpleTestFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file := &spec.SimpleTestFile{}
	return file, prototext.Unmarshal(text, file)
}

// Timestamps and durations are values of the language, not messages.
var values = strings.NewReplacer("type.googleapis.com/google.protobuf.Timestamp", "", "type.googleapis.com/google.protobuf.Duration", "",
	"google.protobuf.Timestamp", "", "google.protobuf.Duration", "")

func needsMessage(test *spec.SimpleTest) bool {
	text := values.Replace(prototext.Format(test))
	for _, mark := range []string{"cel.expr.conformance", "TestAllTypes", "type.googleapis.com", "google.protobuf"} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}
