package patch

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"quadra/conformance/generate"
)

// modified is another state of an object, of the same kind.
func (g *generator) modified(object generate.Object) generate.Object {
	for {
		changed := generate.Clone(object).(generate.Object)
		for range 1 + g.IntN(5) {
			g.Mutate(changed)
		}
		if fitting, _, ok := encoded(changed); ok {
			return fitting
		}
	}
}

// strategic is a patch as kubectl, a controller or nobody would write it.
func (g *generator) strategic(live generate.Object, typed runtime.Object) any {
	patch := g.derived(live, typed)
	if g.Chance(0.5) {
		for range 1 + g.IntN(3) {
			g.direct(patch, live)
		}
	}
	if g.Chance(0.2) {
		g.Mutate(patch)
	}
	if g.Chance(0.02) {
		return generate.Pick[any](g.Source, nil, generate.List{}, 5, "x", true)
	}
	return patch
}

// derived makes another state out of the live one; applied by kubectl, it also knows what it applied before.
func (g *generator) derived(live generate.Object, typed runtime.Object) generate.Object {
	wanted := g.modified(live)
	if g.Chance(0.2) {
		return g.varied(wanted, 0.5).(generate.Object)
	}
	var patch []byte
	var err error
	if g.Chance(0.5) {
		patch, err = strategicpatch.CreateTwoWayMergePatch(marshal(live), marshal(wanted), typed)
	} else {
		var meta strategicpatch.PatchMetaFromStruct
		if meta, err = strategicpatch.NewPatchMetaFromStruct(typed); err == nil {
			patch, err = strategicpatch.CreateThreeWayMergePatch(marshal(g.modified(live)), marshal(wanted), marshal(live), meta, true)
		}
	}
	if err != nil {
		return wanted
	}
	return tree(patch)
}

var mergeKeys = []string{"name", "type", "uid", "ip", "containerPort", "mountPath", "devicePath", "topologyKey", "port", "driver"}

// direct gives an object or a list somewhere in the patch a directive.
func (g *generator) direct(patch, live generate.Object) {
	inPatch, inLive := pairs(patch, live, nil)
	i := g.IntN(len(inPatch))
	object, original := inPatch[i], inLive[i]
	names := append(generate.SortedKeys(object), generate.SortedKeys(original)...)
	name := "x"
	if len(names) > 0 {
		name = generate.Pick(g.Source, names...)
	}
	switch g.IntN(9) {
	case 0:
		object["$patch"] = generate.Pick[any](g.Source, "replace", "replace", "delete", "delete", "merge", "x", 5, nil, true, 1.5, generate.List{"a", nil}, generate.Object{"b": 1, "a": "x"})
	case 1:
		object["$retainKeys"] = g.retained(object, original)
	case 2, 3:
		object["$setElementOrder/"+name] = g.order(object[name], original[name])
	case 4:
		object["$deleteFromPrimitiveList/"+name] = g.someOf(object[name], original[name])
	case 5:
		g.directElement(object, name, original)
	case 6:
		object[name] = generate.Pick[any](g.Source, nil, nil, generate.List{}, generate.Object{}, "x", 1, 1.0e7, 2.5, generate.Object{"a": nil, "b": generate.Object{"$patch": "delete"}}, generate.List{generate.List{}}, generate.List{"a", 1}, generate.List{nil})
	case 7:
		object[generate.Pick(g.Source, "$setElementOrder", "$setElementOrderx/"+name, "$deleteFromPrimitiveList", "$deleteFromPrimitiveList/", "$setElementOrder/", "$patches", "$setElementOrder/x")] = generate.Pick[any](g.Source, generate.List{"a"}, generate.List{}, "a", nil, generate.Object{})
	case 8:
		if found, ok := original[name]; ok {
			object[name] = generate.Clone(found)
		}
	}
}

// pairs are the objects of a patch with those they would be merged with.
func pairs(patch, live any, found [][2]generate.Object) (inPatch, inLive []generate.Object) {
	switch value := patch.(type) {
	case generate.Object:
		original, _ := live.(generate.Object)
		inPatch, inLive = append(inPatch, value), append(inLive, original)
		for _, name := range generate.SortedKeys(value) {
			a, b := pairs(value[name], original[name], found)
			inPatch, inLive = append(inPatch, a...), append(inLive, b...)
		}
	case generate.List:
		original, _ := live.(generate.List)
		for _, element := range value {
			a, b := pairs(element, counterpart(element, original), found)
			inPatch, inLive = append(inPatch, a...), append(inLive, b...)
		}
	}
	return inPatch, inLive
}

// counterpart is the element of a list with the same merge key.
func counterpart(element any, list generate.List) any {
	object, _ := element.(generate.Object)
	for _, key := range mergeKeys {
		for _, other := range list {
			if candidate, ok := other.(generate.Object); ok && object[key] != nil && candidate[key] == object[key] {
				return candidate
			}
		}
	}
	return nil
}

func (g *generator) retained(object, original generate.Object) any {
	if g.Chance(0.1) {
		return generate.Pick[any](g.Source, "x", nil, generate.Object{}, generate.List{5, nil, true})
	}
	list := generate.List{}
	for name := range g.each(object) {
		if g.Chance(0.95) {
			list = append(list, name)
		}
	}
	for name := range g.each(original) {
		if g.Chance(0.4) {
			list = append(list, name)
		}
	}
	return list
}

// each visits the members in the order of their names.
func (g *generator) each(object generate.Object) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, name := range generate.SortedKeys(object) {
			if !yield(name) {
				return
			}
		}
	}
}

// names reduces elements to their merge keys.
func (g *generator) names(list any) generate.List {
	elements, _ := list.(generate.List)
	out := generate.List{}
	for _, element := range elements {
		object, ok := element.(generate.Object)
		if !ok {
			out = append(out, element)
			continue
		}
		if object["$patch"] != nil && g.Chance(0.9) {
			continue
		}
		for _, key := range mergeKeys {
			if value, ok := object[key]; ok {
				out = append(out, generate.Object{key: value})
				break
			}
		}
	}
	return out
}

// order names the elements of the patch and some of the live list, in an order that may contradict.
func (g *generator) order(patch, live any) any {
	if g.Chance(0.05) {
		return generate.Pick[any](g.Source, "x", nil, generate.Object{}, generate.List{}, generate.List{5}, generate.List{generate.Object{}}, generate.List{"a", "b"})
	}
	list := append(g.names(patch), g.names(live)...)
	if g.Chance(0.3) {
		g.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	if g.Chance(0.4) && len(list) > 0 {
		list = list[:g.IntN(len(list)+1)]
	}
	return list
}

func (g *generator) someOf(patch, live any) any {
	if g.Chance(0.1) {
		return generate.Pick[any](g.Source, "x", nil, generate.Object{"a": 1}, generate.List{}, generate.List{5}, 2.5, int64(3))
	}
	list := generate.List{"a"}
	for _, side := range []any{patch, live} {
		elements, _ := side.(generate.List)
		for _, element := range elements {
			if g.Chance(0.4) {
				list = append(list, generate.Clone(element))
			}
		}
	}
	if g.Chance(0.8) {
		return list[1:]
	}
	return list
}

// directElement adds an element with a directive, or one that has no merge key, to a list.
func (g *generator) directElement(object generate.Object, name string, original generate.Object) {
	list, _ := object[name].(generate.List)
	element := generate.Object{"$patch": generate.Pick[any](g.Source, "delete", "delete", "delete", "delete", "replace", "replace", "merge", "y", 1)}
	candidates := append(g.names(original[name]), g.names(list)...)
	if len(candidates) > 0 && g.Chance(0.9) {
		if named, ok := generate.Pick(g.Source, candidates...).(generate.Object); ok {
			for key, value := range named {
				element[key] = value
			}
		}
	}
	if g.Chance(0.1) {
		delete(element, "$patch")
	}
	at := g.IntN(len(list) + 1)
	object[name] = append(append(append(generate.List{}, list[:at]...), element), list[at:]...)
}
