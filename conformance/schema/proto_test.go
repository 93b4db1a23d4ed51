package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// protoMessage maps field numbers to "label type", e.g. "repeated .k8s.io.api.core.v1.Container", as a .proto file says.
type protoMessage map[string]string

var (
	messageLine = regexp.MustCompile(`^message (\w+) \{$`)
	fieldLine   = regexp.MustCompile(`^  (optional|repeated|map)\s*(<string, [\w.]+>|[\w.]+) \w+ = (\d+);$`)
)

// The numbers and wire types of every table are those of upstream's .proto files.
func TestTablesMatchProtoFiles(t *testing.T) {
	known, err := readSources()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, s := range known.types.sorted() {
		if _, isMessage := reflect.PointerTo(s.goType).MethodByName("Marshal"); !isMessage {
			continue
		}
		want := readProto(t, s.goType.PkgPath())[s.goType.Name()]
		if want == nil {
			t.Errorf("%s is not in its package's .proto file", s.openAPI)
			continue
		}
		checked++
		have := s.asProto()
		for number, line := range want {
			if have[number] != line {
				t.Errorf("%s number %s: the .proto file has %q, the table %q", s.openAPI, number, line, have[number])
			}
		}
		for number, line := range have {
			if want[number] == "" {
				t.Errorf("%s number %s: %q is not in the .proto file", s.openAPI, number, line)
			}
		}
	}
	t.Logf("%d messages compared", checked)
	if checked < 400 {
		t.Errorf("only %d messages were compared", checked)
	}
}

var protoFiles = map[string]map[string]protoMessage{}

// readProto gives the messages of a Go package's generated.proto.
func readProto(t *testing.T, pkgPath string) map[string]protoMessage {
	if known := protoFiles[pkgPath]; known != nil {
		return known
	}
	folder, err := packageFolder(pkgPath)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(folder, "generated.proto"))
	if err != nil {
		t.Fatal(err)
	}
	messages := map[string]protoMessage{}
	var current protoMessage
	for line := range strings.SplitSeq(string(content), "\n") {
		if m := messageLine.FindStringSubmatch(line); m != nil {
			current = protoMessage{}
			messages[m[1]] = current
		} else if m := fieldLine.FindStringSubmatch(line); m != nil {
			current[m[3]] = m[1] + " " + qualified(m[2], pkgPath)
		}
	}
	protoFiles[pkgPath] = messages
	return messages
}

// qualified spells a type as a full name: the file's own messages are written without package.
func qualified(name, pkgPath string) string {
	if element, isMap := strings.CutPrefix(name, "<string, "); isMap {
		return "<string, " + qualified(strings.TrimSuffix(element, ">"), pkgPath) + ">"
	}
	switch name {
	case "string", "bool", "int32", "int64", "double", "bytes":
		return name
	}
	if strings.HasPrefix(name, ".") {
		return name
	}
	return "." + strings.ReplaceAll(pkgPath, "/", ".") + "." + name
}

// asProto is what our table makes of a struct.
func (s *structure) asProto() protoMessage {
	message := protoMessage{}
	for i := range s.goType.NumField() {
		goField := s.goType.Field(i)
		name, _, _ := strings.Cut(goField.Tag.Get("json"), ",")
		if number := protoNumber(goField); goField.Anonymous && name == "" && number != 0 {
			message[fmt.Sprint(number)] = "optional " + messageName(goField.Type)
		}
	}
	for _, f := range s.fields {
		if f.proto != 0 && f.protoInside == 0 {
			message[fmt.Sprint(f.proto)] = f.shape.asProto(f.goType)
		}
	}
	return message
}

func (s shape) asProto(goType reflect.Type) string {
	if goType.Kind() == reflect.Pointer {
		goType = goType.Elem()
	}
	switch {
	case s.protoItems:
		return "optional " + messageName(goType)
	case s.kind == "List":
		_, name, _ := strings.Cut(s.element.asProto(goType.Elem()), " ")
		return "repeated " + name
	case s.kind == "Map":
		_, name, _ := strings.Cut(s.element.asProto(goType.Elem()), " ")
		return "map <string, " + name + ">"
	case s.kind == "Bytes" || s.kind == "Double" || scalarKinds[goType.Kind()] != "":
		return "optional " + strings.ToLower(s.kind)
	}
	return "optional " + messageName(goType)
}

func messageName(goType reflect.Type) string {
	return "." + strings.ReplaceAll(goType.PkgPath(), "/", ".") + "." + goType.Name()
}
