package generate

import (
	"encoding/json"
	"strconv"
	"strings"
)

// node is a JSON value as text: members keep their order and may repeat, scalars are any characters.
type node struct {
	scalar   string
	members  []member // of an object
	elements []*node  // of a list
	shape    byte     // '{', '[' or 's'
}

type member struct {
	key   string
	value *node
}

func scalarNode(text string) *node { return &node{shape: 's', scalar: text} }

// parse reads JSON that is known to be valid.
func parse(value any) *node {
	switch value := value.(type) {
	case Object:
		object := &node{shape: '{'}
		for _, key := range SortedKeys(value) {
			object.members = append(object.members, member{key, parse(value[key])})
		}
		return object
	case List:
		list := &node{shape: '['}
		for _, element := range value {
			list.elements = append(list.elements, parse(element))
		}
		return list
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return scalarNode(string(text))
}

// thin keeps about `keep` of the members below, so that a document with every field becomes one of ordinary size.
func (s *Source) thin(n *node, keep float64, depth int) {
	kept := n.members[:0:0]
	for _, m := range n.members {
		if depth == 0 || s.Chance(keep) {
			s.thin(m.value, keep, depth+1)
			kept = append(kept, m)
		}
	}
	n.members = kept
	for _, element := range n.elements {
		s.thin(element, keep, depth+1)
	}
	if len(n.elements) == 1 && s.Chance(0.3) {
		n.elements = append(n.elements, n.elements[0].clone())
	}
}

func (n *node) clone() *node {
	copied := &node{shape: n.shape, scalar: n.scalar}
	for _, m := range n.members {
		copied.members = append(copied.members, member{m.key, m.value.clone()})
	}
	for _, element := range n.elements {
		copied.elements = append(copied.elements, element.clone())
	}
	return copied
}

// all nodes of the document, the root first.
func (n *node) all() []*node {
	nodes := []*node{n}
	for _, m := range n.members {
		nodes = append(nodes, m.value.all()...)
	}
	for _, element := range n.elements {
		nodes = append(nodes, element.all()...)
	}
	return nodes
}

// writer prints nodes, with the blanks of one document.
type writer struct {
	strings.Builder
	blank string
}

func (w *writer) write(n *node) {
	switch n.shape {
	case '{':
		w.WriteString("{" + w.blank)
		for i, m := range n.members {
			w.separate(i)
			w.WriteString(m.key)
			w.WriteString(":" + w.blank)
			w.write(m.value)
		}
		w.WriteString(w.blank + "}")
	case '[':
		w.WriteString("[")
		for i, element := range n.elements {
			w.separate(i)
			w.write(element)
		}
		w.WriteString("]")
	default:
		w.WriteString(n.scalar)
	}
}

func (w *writer) separate(i int) {
	if i > 0 {
		w.WriteString("," + w.blank)
	}
}

// quoteKeys turns names into JSON strings; until then they are easier to change.
func (n *node) quoteKeys() {
	for i := range n.members {
		n.members[i].key = quote(n.members[i].key)
		n.members[i].value.quoteKeys()
	}
	for _, element := range n.elements {
		element.quoteKeys()
	}
}

func quote(text string) string {
	if strings.HasPrefix(text, `"`) {
		return text // written out by a mutation
	}
	return strconv.Quote(text)
}
