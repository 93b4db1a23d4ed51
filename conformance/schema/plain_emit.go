package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

const width = 100 // columns of the sources that people read

// files are the headers of the plain structs, the sources of their bindings, and one header that declares all bindings.
func (p *plainStructs) files() map[string][]byte {
	files := map[string][]byte{"bindings.h": declarations(p.ours.Structs)}
	for _, file := range p.ours.Structs {
		files[file.Name+".h"] = p.header(file)
		files[file.Name+".cc"] = bindings(file)
	}
	return files
}

func (p *plainStructs) header(file *plainFile) []byte {
	var structs bytes.Buffer
	for _, s := range file.structs {
		structs.WriteString("\n")
		p.writePlain(&structs, s)
	}
	var out bytes.Buffer
	writeComment(&out, "", file.Says)
	out.WriteString("//\n" + banner + "#pragma once\n\n")
	for _, include := range []struct{ token, header string }{
		{"std::int", "cstdint"}, {"std::optional", "optional"}, {"std::string", "string"},
	} {
		if strings.Contains(structs.String(), include.token) {
			fmt.Fprintf(&out, "#include <%s>\n", include.header)
		}
	}
	out.WriteString("\n")
	for _, other := range p.neighbours(file) {
		fmt.Fprintf(&out, "#include \"api/generated/%s.h\"\n", other)
	}
	out.WriteString("#include \"api/members.h\"\n\nnamespace quadra::api {\n")
	out.Write(structs.Bytes())
	out.WriteString("\n}  // namespace quadra::api\n")
	return out.Bytes()
}

// neighbours are the other files whose structs are members here.
func (p *plainStructs) neighbours(file *plainFile) []string {
	var names []string
	for _, s := range file.structs {
		for _, m := range s.members {
			part := m.shape.innermost().structure
			if part != nil && p.byKey[part.key()].file != file {
				names = append(names, p.byKey[part.key()].file.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (p *plainStructs) writePlain(out *bytes.Buffer, s *plainStruct) {
	writeComment(out, "", s.Says)
	fmt.Fprintf(out, "struct %s {\n", s.name)
	for _, m := range s.members {
		if strings.HasPrefix(m.name, "type.") {
			if m.name == "type.kind" {
				out.WriteString("  TypeMeta type;\n")
			}
			continue
		}
		if m.overlay.Says != p.ours.Everywhere[m.json].Says {
			writeComment(out, "  ", m.overlay.Says)
		}
		fmt.Fprintf(out, "  %s\n", p.declaration(m))
	}
	equality := fmt.Sprintf("  friend bool operator==(const %s&, const %s&) = default;\n", s.name, s.name)
	if len(equality) > width+1 {
		equality = strings.Replace(equality, ", const", ",\n                         const", 1)
	}
	out.WriteString(equality + "};\n")
}

// writeComment wraps a text; an empty line stays one.
func writeComment(out *bytes.Buffer, indent, text string) {
	if text == "" {
		return
	}
	for _, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		line := indent + "//"
		for _, word := range strings.Fields(paragraph) {
			if len(line)+1+len(word) > width {
				out.WriteString(line + "\n")
				line = indent + "//"
			}
			line += " " + word
		}
		out.WriteString(line + "\n")
		if !strings.HasSuffix(strings.TrimSpace(text), paragraph) {
			out.WriteString(indent + "//\n")
		}
	}
}

// bindings ties the structs of a file to their tables.
func bindings(file *plainFile) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s#include \"api/generated/%s.h\"\n\n#include \"api/bind.h\"\n\nnamespace quadra::api {\n", banner, file.Name)
	for _, s := range file.structs {
		fmt.Fprintf(&out, "\nQUADRA_BIND(%s, %q", s.name, strings.Join(s.openAPI, " "))
		for _, m := range s.members {
			fmt.Fprintf(&out, ",\n            QUADRA_AT(%s, %q)", m.name, m.json)
		}
		out.WriteString(")\n")
	}
	out.WriteString("\n}  // namespace quadra::api\n")
	return out.Bytes()
}

func declarations(plain []*plainFile) []byte {
	var out bytes.Buffer
	out.WriteString("// What ties each plain struct to its table; object.h uses it, no one else.\n//\n" + banner +
		"#pragma once\n\n#include \"api/kinds.h\"\n\nnamespace quadra::api {\n\nclass Binding;\n\n" +
		"template <typename T>\nconst Binding& BindingOf();\n\n")
	for _, file := range plain {
		for _, s := range file.structs {
			fmt.Fprintf(&out, "template <>\nconst Binding& BindingOf<%s>();\n", s.name)
		}
	}
	out.WriteString("\n}  // namespace quadra::api\n")
	return out.Bytes()
}
