package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
)

//go:embed overlay.yaml
var overlayText []byte

// overlay is overlay.yaml: what we state ourselves. It remembers which entries were used, so that none is written in vain.
type overlay struct {
	Everywhere map[string]fieldOverlay `json:"everywhere"`
	Types      map[string]typeOverlay  `json:"types"`
	Structs    []*plainFile            `json:"structs"`
	Columns    map[string][]string     `json:"columns"`
	used       map[string]bool
}

type typeOverlay struct {
	Like   string                  `json:"like"`
	Fields map[string]fieldOverlay `json:"fields"`

	// Of the plain struct, if there is one.
	Says    string            `json:"says"`
	As      string            `json:"as"`      // its name, where that is not Go's
	Members []string          `json:"members"` // the fields that it keeps, where it does not keep all
	Names   map[string]string `json:"names"`   // of members, where those are not JSON's
	Shared  bool              `json:"shared"`  // the struct is that of the type in Like
}

// isPlain tells whether the entry speaks of a plain struct.
func (t typeOverlay) isPlain() bool {
	return t.Says != "" || t.As != "" || len(t.Members) > 0 || len(t.Names) > 0 || t.Shared
}

type fieldOverlay struct {
	Says      string `json:"says"`
	Gate      string `json:"gate"`
	Immutable bool   `json:"immutable"`
	Default   string `json:"default"`
	When      string `json:"when"`
}

// UnmarshalJSON reads a sentence as {says: sentence}.
func (f *fieldOverlay) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, &f.Says)
	}
	type plain fieldOverlay
	return json.Unmarshal(data, (*plain)(f))
}

func readOverlay() (*overlay, error) {
	o := &overlay{used: map[string]bool{}}
	if err := yaml.UnmarshalStrict(overlayText, o); err != nil {
		return nil, fmt.Errorf("overlay.yaml: %w", err)
	}
	return o, nil
}

// field joins the entries that speak of a field, the most special first.
func (o *overlay) field(s *structure, json string) fieldOverlay {
	var joined fieldOverlay
	for _, name := range o.entriesOf(s) {
		if f, ok := o.Types[name].Fields[json]; ok {
			o.used["types "+name+" "+json] = true
			joined.fill(f)
		}
	}
	if group, _ := s.pkg(); group == "resource" {
		joined.fill(o.Everywhere[json])
	}
	return joined
}

// structOverlay is the entry that speaks of the plain struct itself; what an entry is like speaks of fields alone.
func (o *overlay) structOverlay(s *structure) typeOverlay {
	for _, name := range o.keysOf(s) {
		if entry := o.Types[name]; entry.isPlain() {
			o.used["struct "+name] = true
			return entry
		}
	}
	return typeOverlay{}
}

// keysOf are the names that an entry for a struct may have, the most special first.
func (o *overlay) keysOf(s *structure) []string {
	if group, version := s.pkg(); group == "resource" {
		return []string{version + "." + s.goType.Name(), s.goType.Name()}
	}
	return []string{s.key()}
}

// entriesOf names the entries for a struct: its version's, what that one is like, then its group's, and what that is like.
func (o *overlay) entriesOf(s *structure) []string {
	var entries []string
	for _, key := range o.keysOf(s) {
		for ; key != ""; key = o.Types[key].Like {
			entries = append(entries, key)
		}
	}
	return entries
}

// fill takes from other what f does not state.
func (f *fieldOverlay) fill(other fieldOverlay) {
	if f.Says == "" {
		f.Says = other.Says
	}
	if f.Gate == "" {
		f.Gate = other.Gate
	}
	if f.Default == "" {
		f.Default, f.When = other.Default, other.When
	}
	f.Immutable = f.Immutable || other.Immutable
}

type column struct {
	name, kind, path string
	wide             bool
}

func (o *overlay) columns(k kind) ([]column, error) {
	key := strings.TrimPrefix(k.Group+"/"+k.Kind, "/")
	o.used["columns "+key] = true
	var columns []column
	for _, text := range o.Columns[key] {
		name, path, ok := strings.Cut(text, "=")
		if !ok || path == "" {
			return nil, fmt.Errorf("overlay.yaml: columns of %s: %q is not NAME=PATH", key, text)
		}
		name, wide := strings.CutSuffix(name, "+")
		name, kind, _ := strings.Cut(name, ":")
		columns = append(columns, column{name: name, kind: kind, path: path, wide: wide})
	}
	return columns, nil
}

// unused lists entries that spoke of nothing.
func (o *overlay) unused() []string {
	var unused []string
	for _, name := range sortedKeys(o.Types) {
		if o.Types[name].isPlain() && !o.used["struct "+name] {
			unused = append(unused, "struct "+name)
		}
		for _, json := range sortedKeys(o.Types[name].Fields) {
			if entry := "types " + name + " " + json; !o.used[entry] {
				unused = append(unused, entry)
			}
		}
	}
	for _, key := range sortedKeys(o.Columns) {
		if !o.used["columns "+key] {
			unused = append(unused, "columns "+key)
		}
	}
	return unused
}
