package yaml

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// writer writes a random tree with random choices of style, mostly valid.
type writer struct {
	random  *rand.Rand
	out     strings.Builder
	anchors []string
	budget  int
}

func newWriter(random *rand.Rand) *writer {
	return &writer{random: random, budget: 2 + random.IntN(30)}
}

func (w *writer) chance(percent int) bool { return w.random.IntN(100) < percent }

func (w *writer) document() string {
	if w.chance(5) {
		w.out.WriteString(pick(w.random, []string{"%YAML 1.1\n---\n", "%TAG !e! tag:e,1:\n--- !e!x\n", "\ufeff", "# first\n", "\n\n", "---\n# c\n"}))
	}
	w.block(0)
	if w.chance(5) {
		w.out.WriteString(pick(w.random, []string{"---\nb: 2\n", "...\n", "...\n---\n{", "# last", "--- [\n", "\n\n\n"}))
	}
	return w.out.String()
}

func (w *writer) pad(indent int) { w.out.WriteString(strings.Repeat(" ", indent)) }

func (w *writer) comment() {
	if w.chance(8) {
		w.out.WriteString(pick(w.random, []string{" # note", "  #", " # a: b", "\t# tab"}))
	}
}

// properties writes an anchor, a tag, both or neither.
func (w *writer) properties() {
	if w.chance(8) {
		name := pick(w.random, []string{"a", "b", "x1", "a-b", "a_b"})
		w.anchors = append(w.anchors, name)
		w.out.WriteString("&" + name + " ")
	}
	if w.chance(6) {
		w.out.WriteString(pick(w.random, []string{"!!str ", "!!int ", "!!map ", "!!seq ", "!x ", "! ", "!!binary ", "!<tag:yaml.org,2002:str> ", "!!float ", "!!null "}))
	}
}

// block writes a node at the start of a line.
func (w *writer) block(indent int) {
	w.budget--
	switch {
	case w.budget < 0 || w.chance(15):
		w.pad(indent)
		w.inline(indent)
	case w.chance(65):
		w.mapping(indent)
	default:
		w.sequence(indent)
	}
}

func (w *writer) key() string {
	if w.chance(80) {
		return pick(w.random, []string{"a", "b", "c", "name", "kind", "spec", "x y", "\"q\"", "'s'", "a.b/c"})
	}
	if len(w.anchors) > 0 && w.chance(20) {
		return "*" + pick(w.random, w.anchors) + " "
	}
	return pick(w.random, scalars)
}

func (w *writer) mapping(indent int) {
	for range 1 + w.random.IntN(4) {
		w.pad(indent)
		if len(w.anchors) > 0 && w.chance(20) {
			w.merge()
			continue
		}
		explicit := w.chance(4)
		if explicit {
			w.out.WriteString("? ")
		}
		w.out.WriteString(w.key())
		if explicit {
			w.out.WriteString("\n")
			w.pad(indent)
		}
		w.out.WriteString(":")
		w.value(indent, w.chance(30))
	}
}

func (w *writer) merge() {
	name := "*" + pick(w.random, w.anchors)
	w.out.WriteString("<<: " + pick(w.random, []string{name, name, "[" + name + ", {m: 1}]", "{n: 2, a: 3}", "[" + name + "]", "1"}) + "\n")
}

// value writes what follows a colon, up to the end of the line.
func (w *writer) value(indent int, sameColumn bool) {
	if w.budget <= 0 || w.chance(55) {
		w.out.WriteString(" ")
		w.inline(indent + 1)
		return
	}
	w.out.WriteString(" ")
	w.properties()
	w.comment()
	w.out.WriteString("\n")
	if sameColumn {
		w.budget--
		w.sequence(indent)
		return
	}
	w.block(indent + 1 + w.random.IntN(4))
}

func (w *writer) sequence(indent int) {
	for range 1 + w.random.IntN(4) {
		w.pad(indent)
		w.out.WriteString("-")
		if w.budget > 0 && w.chance(40) {
			w.out.WriteString(" ")
			w.budget--
			w.compact(indent + 2)
			continue
		}
		w.value(indent, false)
	}
}

// compact writes a mapping or list that begins behind a dash.
func (w *writer) compact(indent int) {
	var inner = &writer{random: w.random, budget: w.budget, anchors: w.anchors}
	if w.chance(70) {
		inner.mapping(indent)
	} else {
		inner.sequence(indent)
	}
	w.out.WriteString(strings.TrimPrefix(inner.out.String(), strings.Repeat(" ", indent)))
	w.budget, w.anchors = inner.budget, inner.anchors
}

// inline writes a node that begins in the line at hand, and ends the line.
func (w *writer) inline(indent int) {
	w.budget--
	switch {
	case len(w.anchors) > 0 && w.chance(10):
		w.out.WriteString("*" + pick(w.random, w.anchors))
	case w.chance(15):
		w.properties()
		w.flow(indent, 3)
	case w.chance(12):
		w.properties()
		w.blockScalar(indent)
		return
	case w.chance(10):
		w.properties()
		w.longScalar(indent)
	default:
		w.properties()
		w.out.WriteString(w.scalar())
	}
	w.comment()
	w.out.WriteString("\n")
}

func (w *writer) scalar() string {
	if w.chance(60) {
		return pick(w.random, []string{"value", "some words", "1", "42", "true", "\"quoted\"", "'single'", "a-b_c", "http://x/y", "0.5", "", "k8s.io/x"})
	}
	return pick(w.random, scalars)
}

func (w *writer) flow(indent, depth int) {
	list := w.chance(50)
	w.out.WriteString(map[bool]string{true: "[", false: "{"}[list])
	for i := range w.random.IntN(4) {
		if i > 0 {
			w.out.WriteString(pick(w.random, []string{", ", ",", " , ", ",\n" + strings.Repeat(" ", indent+1), ", # c\n "}))
		}
		if !list || w.chance(10) {
			w.out.WriteString(w.key() + pick(w.random, []string{": ", ": ", ": ", ":", " : ", ""}))
		}
		if depth > 0 && w.chance(25) {
			w.flow(indent, depth-1)
		} else {
			w.properties()
			w.out.WriteString(w.scalar())
		}
	}
	if w.chance(5) {
		w.out.WriteString(",")
	}
	w.out.WriteString(map[bool]string{true: "]", false: "}"}[list])
}

func (w *writer) words() string {
	return pick(w.random, []string{"text", "two words", "# no comment", "a: b", "- item", " more", "  far", "", "", "tab\there", "\ttab", "'q\"", "é", "end "})
}

func (w *writer) blockScalar(indent int) {
	header := pick(w.random, []string{"|", ">", "|-", ">-", "|+", ">+", "|2", ">1-", "|-1", "| # c", "|0", "|x"})
	w.out.WriteString(header + "\n")
	deeper := indent + w.random.IntN(4)
	for range w.random.IntN(5) {
		w.pad(deeper)
		w.out.WriteString(w.words() + pick(w.random, []string{"\n", "\n", "\n", "\n\n", "\r\n"}))
	}
}

func (w *writer) longScalar(indent int) {
	quote := pick(w.random, []string{"", "'", "\""})
	w.out.WriteString(quote)
	for i := range 1 + w.random.IntN(4) {
		if i > 0 {
			w.out.WriteString("\n")
			w.pad(indent + w.random.IntN(3))
		}
		w.out.WriteString(pick(w.random, []string{"word", "two words", "", "a\\\\b", "it''s", fmt.Sprint(w.random.IntN(100)), "trailing ", "é"}))
	}
	w.out.WriteString(quote)
}
