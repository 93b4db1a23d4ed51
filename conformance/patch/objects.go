package patch

import (
	"encoding/json"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	"quadra/conformance/generate"
)

// generator draws objects and patches.
type generator struct {
	*generate.Source
	documents *generate.Documents
}

// object is one of any kind as the server would encode it: a golden object with most left out and its lists grown.
func (g *generator) object() (generate.Object, runtime.Object) {
	for {
		golden := plain(g.documents.Golden(g.Source)).(generate.Object)
		size := count(golden)
		kept := min(0.9, generate.Pick(g.Source, 20.0, 40, 80)/float64(size)+0.25)
		for _, name := range generate.SortedKeys(golden) {
			if name != "apiVersion" && name != "kind" {
				golden[name] = g.varied(golden[name], kept)
			}
		}
		if object, typed, ok := encoded(golden); ok {
			return object, typed
		}
	}
}

// varied leaves out members and gives lists other elements.
func (g *generator) varied(value any, kept float64) any {
	switch value := value.(type) {
	case generate.Object:
		for _, name := range generate.SortedKeys(value) {
			if !g.Chance(kept) {
				delete(value, name)
			} else {
				value[name] = g.varied(value[name], kept)
			}
		}
		return value
	case generate.List:
		return g.grown(value, kept)
	case string:
		if special(value) || g.Chance(0.6) {
			return value
		}
		return generate.Pick(g.Source, "a", "b", "c", "d", "a<b>&", value+"x")
	case int64:
		return value + int64(g.IntN(3))
	}
	return value
}

// grown repeats the elements; primitives stay unique.
func (g *generator) grown(list generate.List, kept float64) generate.List {
	out := generate.List{}
	seen := map[string]bool{}
	for range generate.Pick(g.Source, 0, 1, 1, 2, 2, 3, 4, 6) {
		for _, element := range list {
			element = g.varied(generate.Clone(element), max(kept, 0.7))
			if text, ok := element.(string); ok {
				if seen[text] {
					continue
				}
				seen[text] = true
			}
			out = append(out, element)
		}
	}
	return out
}

// special texts are read by code of their own: times, quantities, bytes.
func special(text string) bool {
	return text == "" || text[0] >= '0' && text[0] <= '9' || strings.HasSuffix(text, "=")
}

func count(value any) int {
	n := 1
	switch value := value.(type) {
	case generate.Object:
		for _, member := range value {
			n += count(member)
		}
	case generate.List:
		for _, element := range value {
			n += count(element)
		}
	}
	return n
}

// plain has int64 and float64 for numbers.
func plain(value any) any {
	switch value := value.(type) {
	case generate.Object:
		for name, member := range value {
			value[name] = plain(member)
		}
	case generate.List:
		for i, element := range value {
			value[i] = plain(element)
		}
	case json.Number:
		if n, err := value.Int64(); err == nil {
			return n
		}
		f, _ := value.Float64()
		return f
	}
	return value
}

// encoded sends an object through its Go type; false where it does not fit.
func encoded(object generate.Object) (generate.Object, runtime.Object, bool) {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	typed, _, err := scheme.Codecs.UniversalDeserializer().Decode(text, nil, nil)
	if err != nil {
		return nil, nil, false
	}
	return tree(marshal(typed)), typed, true
}

func marshal(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}

func tree(text []byte) generate.Object {
	var out generate.Object
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	if err := decoder.Decode(&out); err != nil {
		panic(err)
	}
	return plain(out).(generate.Object)
}
