package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// The plain structs of C++ and what binds them to the tables. overlay.yaml names the files and the Go types they start
// from; all structs those reach come along, before the ones that use them, so a new field or type upstream needs no edit.

// plainFile is one header with its source of bindings.
type plainFile struct {
	Name  string   `json:"name"`
	Says  string   `json:"says"`
	Roots []string `json:"roots"`
	// Also: other versions of the roots' group with the same shape, to whose tables the structs are bound as well.
	Also    []string `json:"also"`
	structs []*plainStruct
}

// plainStruct is a struct of C++.
type plainStruct struct {
	*structure
	typeOverlay
	name    string
	file    *plainFile
	openAPI []string // of all the tables it is bound to; it is written as the first
	members []plainMember
}

type plainMember struct {
	field
	name string
}

// plainStructs arranges the structs of all files.
type plainStructs struct {
	types *reader
	ours  *overlay
	byKey map[string]*plainStruct // also by the Go types that share a struct
}

// arrangePlain fills the structs of the files that the overlay names.
func arrangePlain(types *reader, ours *overlay) (*plainStructs, error) {
	p := &plainStructs{types: types, ours: ours, byKey: map[string]*plainStruct{}}
	for _, file := range ours.Structs {
		for _, root := range file.Roots {
			s := types.named(root)
			if s == nil {
				return nil, fmt.Errorf("overlay.yaml: structs %s: there is no %s", file.Name, root)
			}
			if err := p.add(file, s); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// named finds a structure by group.version.Type, e.g. core.v1.Pod.
func (r *reader) named(key string) *structure {
	for _, s := range r.seen {
		if s.key() == key {
			return s
		}
	}
	return nil
}

func (s *structure) key() string {
	group, version := s.pkg()
	return group + "." + version + "." + s.goType.Name()
}

// add puts a struct into the file, after those it is made of, unless an earlier file has it.
func (p *plainStructs) add(file *plainFile, s *structure) error {
	if p.byKey[s.key()] != nil {
		return nil
	}
	made := &plainStruct{structure: s, typeOverlay: p.ours.structOverlay(s), file: file}
	if shared := made.Like; made.Shared {
		if err := p.add(file, p.types.named(shared)); err != nil {
			return err
		}
		p.byKey[s.key()] = p.byKey[shared]
		p.byKey[shared].openAPI = append(p.byKey[shared].openAPI, s.openAPI)
		return nil
	}
	made.name = s.goType.Name()
	if made.As != "" {
		made.name = made.As
	}
	made.openAPI = p.openAPINames(file, s)
	for _, f := range s.fields {
		if !made.keeps(f.json) {
			continue
		}
		if part := f.shape.innermost().structure; part != nil {
			if err := p.add(file, part); err != nil {
				return err
			}
		}
		made.members = append(made.members, plainMember{field: f, name: made.memberName(f)})
	}
	if missing := made.unknownMembers(); len(missing) > 0 {
		return fmt.Errorf("overlay.yaml: %s has no fields %v", s.key(), missing)
	}
	p.byKey[s.key()] = made
	file.structs = append(file.structs, made)
	return nil
}

// openAPINames are those of the struct and of the file's other versions of it.
func (p *plainStructs) openAPINames(file *plainFile, s *structure) []string {
	names := []string{s.openAPI}
	group, version := s.pkg()
	if group != "resource" {
		return names
	}
	for _, other := range file.Also {
		if sibling := p.types.named(strings.Replace(s.key(), "."+version+".", "."+other+".", 1)); sibling != nil {
			names = append(names, sibling.openAPI)
		}
	}
	return names
}

func (s *plainStruct) keeps(json string) bool {
	return len(s.Members) == 0 || slices.Contains(s.Members, json)
}

func (s *plainStruct) unknownMembers() []string {
	var unknown []string
	for _, json := range s.Members {
		if !slices.ContainsFunc(s.members, func(m plainMember) bool { return m.json == json }) {
			unknown = append(unknown, json)
		}
	}
	return unknown
}

func (s *plainStruct) memberName(f field) string {
	if f.embedded == "TypeMeta" {
		return "type." + snakeCase(f.json)
	}
	if name := s.Names[f.json]; name != "" {
		return name
	}
	if name := keywords[f.json]; name != "" {
		return name
	}
	return snakeCase(f.json)
}

// keywords are JSON names that C++ does not allow, and what we call them.
var keywords = map[string]string{"namespace": "ns", "operator": "op", "default": "default_value"}

// snakeCase is resource_claim_name of resourceClaimName and share_id of shareID.
func snakeCase(name string) string {
	var out strings.Builder
	for i, r := range name {
		afterLower := i > 0 && !unicode.IsUpper(rune(name[i-1]))
		if unicode.IsUpper(r) && afterLower {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// innermost is what a list or map holds, or the shape itself.
func (s shape) innermost() shape {
	for s.element != nil {
		s = *s.element
	}
	return s
}

var plainTypes = map[string]string{
	"String": "std::string", "Bytes": "std::string", "Bool": "bool", "Int32": "std::int32_t", "Int64": "std::int64_t",
	"Quantity": "Quantity", "Time": "Time", "MicroTime": "Time", "RawExtension": "RawJson", "FieldsV1": "RawJson", "Json": "RawJson",
}

// typeOf is a shape in C++. Times are always optional: Go's zero time stands for none.
func (p *plainStructs) typeOf(s shape) string {
	switch {
	case s.element != nil:
		return s.kind + "<" + p.typeOf(*s.element) + ">"
	case s.structure != nil:
		return p.byKey[s.structure.key()].name
	case plainTypes[s.kind] != "":
		return plainTypes[s.kind]
	}
	panic("no C++ type for " + s.kind)
}

func (p *plainStructs) declaration(m plainMember) string {
	goType := p.typeOf(m.shape)
	switch {
	case m.pointer || goType == "Time":
		return fmt.Sprintf("std::optional<%s> %s;", goType, m.name)
	case goType == "bool":
		return fmt.Sprintf("bool %s = false;", m.name)
	case strings.HasPrefix(goType, "std::int"):
		return fmt.Sprintf("%s %s = 0;", goType, m.name)
	}
	return goType + " " + m.name + ";"
}
