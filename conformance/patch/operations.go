package patch

import (
	"fmt"
	"strings"

	"quadra/conformance/generate"
)

type operation = generate.Object

// operations are a JSON patch: mostly of operations that apply.
func (g *generator) operations(object generate.Object) any {
	paths := pointers(object, "", nil)
	list := generate.List{}
	for range 1 + g.IntN(4) {
		list = append(list, g.operation(object, paths))
	}
	if g.Chance(0.05) {
		return generate.Pick[any](g.Source, nil, generate.Object{}, "text", 5, generate.List{}, generate.List{nil}, generate.List{"x"}, append(list, 5), append(list, nil))
	}
	return list
}

func (g *generator) operation(object generate.Object, paths []string) operation {
	path, from := g.path(paths), g.path(paths)
	op := operation{"op": generate.Pick(g.Source, "add", "add", "remove", "replace", "replace", "move", "copy", "test", "test"), "path": path}
	switch op["op"] {
	case "add", "replace":
		op["value"] = g.value(object, paths)
	case "move", "copy":
		op["from"] = from
	case "test":
		op["value"] = g.value(object, paths)
		if found, ok := lookUp(object, path); ok && g.Chance(0.8) {
			op["value"] = generate.Clone(found)
		}
	}
	if g.Chance(0.07) {
		g.spoil(op)
	}
	return op
}

// spoil makes an operation an odd one. Upstream copies a null that a patch brought in as something else than null, and may
// then panic.
func (g *generator) spoil(op operation) {
	switch g.IntN(6) {
	case 0:
		op["op"] = generate.Pick[any](g.Source, "Add", "", nil, 5, "unknown", "\u00e9")
	case 1:
		delete(op, generate.Pick(g.Source, "op", "path", "from", "value"))
	case 2:
		op[generate.Pick(g.Source, "path", "from")] = generate.Pick[any](g.Source, nil, 5, true, generate.List{}, generate.Object{}, "", "/", "x", "//")
	case 3:
		op[generate.Pick(g.Source, "Path", "values", "a.b", "é\n")] = "x"
	default:
		op["value"] = g.oddValue()
	}
}

func (g *generator) value(object generate.Object, paths []string) any {
	if g.Chance(0.5) {
		if found, ok := lookUp(object, generate.Pick(g.Source, paths...)); ok {
			return generate.Clone(found)
		}
	}
	return g.oddValue()
}

func (g *generator) oddValue() any {
	return generate.Pick[any](g.Source, "a", "b<&>", "", 0, 1, 2.5, -7, true, false, generate.List{}, generate.List{"x", 1}, generate.Object{}, generate.Object{"b": 1, "a": generate.List{2}},
		generate.Object{"name": "a", "x": generate.Object{"z": 1, "y": "t"}}, 1e30, generate.List{generate.Object{"q": 1, "p": 2}})
}

// path is one of the object, seldom another.
func (g *generator) path(paths []string) string {
	path := generate.Pick(g.Source, paths...)
	switch g.IntN(14) {
	case 0:
		return path + generate.Pick(g.Source, "/x", "/0", "/-", "/", "/a~1b", "/~0~01", "/-1", "/1", "/9", "/+1", "/01")
	case 1:
		return path[:strings.LastIndex(path, "/")+1] + generate.Pick(g.Source, "-", "0", "1", "2", "-1", "-2", "-9", "7", "x", "", "1e3", "99999999999999999999", "new", "labels", "0x1", "٣")
	case 2:
		return path + "/a/b"
	case 3:
		return generate.Pick(g.Source, "", "/", "kind", "x/metadata", "/metadata/labels", "/metadata/annotations/a~1b", "/spec/x")
	}
	return path
}

func pointers(value any, path string, out []string) []string {
	switch value := value.(type) {
	case generate.Object:
		for _, name := range generate.SortedKeys(value) {
			here := path + "/" + strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
			out = pointers(value[name], here, append(out, here))
		}
	case generate.List:
		for i, element := range value {
			here := fmt.Sprintf("%s/%d", path, i)
			out = pointers(element, here, append(out, here))
		}
	}
	return out
}

func lookUp(value any, path string) (any, bool) {
	steps := strings.Split(path, "/")
	for _, step := range steps[1:] {
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		switch here := value.(type) {
		case generate.Object:
			next, ok := here[step]
			if !ok {
				return nil, false
			}
			value = next
		case generate.List:
			var index int
			if _, err := fmt.Sscanf(step, "%d", &index); err != nil || index < 0 || index >= len(here) {
				return nil, false
			}
			value = here[index]
		default:
			return nil, false
		}
	}
	return value, len(steps) > 1
}
