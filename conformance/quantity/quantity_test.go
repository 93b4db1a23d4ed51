// Package quantity compares quadra's quantities with k8s.io/apimachinery/pkg/api/resource.
package quantity

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"quadra/conformance/dice"
	"quadra/conformance/peer"
)

type question struct {
	A      string          `json:"a"`
	B      string          `json:"b"`
	JSON   json.RawMessage `json:"json"`
	Factor int64           `json:"factor"`
	Scale  int32           `json:"scale"`
}

type answer struct {
	A    string `json:"a"`
	B    string `json:"b"`
	JSON string `json:"json"`
	*pair
}

type pair struct {
	Cmp      int    `json:"cmp"`
	CmpInt64 int    `json:"cmpInt64"`
	Compared string `json:"compared"`
	Add      string `json:"add"`
	Sub      string `json:"sub"`
	Back     string `json:"there and back"`
	Mul      string `json:"mul"`
	Neg      string `json:"neg"`
	RoundUp  string `json:"roundUp"`
	Scaled   string `json:"scaled"`
}

func TestQuantity(t *testing.T) {
	peer.Comparison{
		Name:     "quantity",
		Module:   "apimachinery-v0.37.1",
		Default:  1_000_000,
		Recorded: 900,
		Ask:      func(random *rand.Rand, _ int) any { return ask(generator{dice.Dice{Rand: random}}) },
		Answer:   func(line []byte) any { return reply(line) },
	}.Run(t)
}

func ask(g generator) question {
	a := g.text()
	b := g.partner(a)
	for differenceWraps(a, b) {
		b = g.text()
	}
	return question{A: a, B: b, JSON: g.json(), Factor: g.factor(), Scale: int32(g.IntN(32) - 12)}
}

// differenceWraps tells pairs whose difference upstream cannot negate (docs/deviations.md).
func differenceWraps(a, b string) bool {
	x, errX := resource.ParseQuantity(a)
	y, errY := resource.ParseQuantity(b)
	if errX != nil || errY != nil {
		return false
	}
	x.Sub(y)
	value, _ := x.AsInt64()
	return value == math.MinInt64
}

func reply(line []byte) answer {
	var q question
	if err := json.Unmarshal(line, &q); err != nil {
		panic(err)
	}
	a, errA := resource.ParseQuantity(q.A)
	b, errB := resource.ParseQuantity(q.B)
	out := answer{A: describe(a, errA), B: describe(b, errB), JSON: describe(decode(q.JSON))}
	if errA == nil && errB == nil {
		out.pair = replyPair(a, b, q)
	}
	return out
}

func decode(raw []byte) (resource.Quantity, error) {
	var q resource.Quantity
	err := json.Unmarshal(raw, &q)
	return q, err
}

func replyPair(a, b resource.Quantity, q question) *pair {
	out := &pair{CmpInt64: a.CmpInt64(q.Factor), Scaled: fmt.Sprint(a.ScaledValue(resource.Scale(q.Scale)))}
	out.Compared = after(a, func(x *resource.Quantity) { out.Cmp = x.Cmp(b) })
	out.Add = after(a, func(x *resource.Quantity) { x.Add(b) })
	out.Sub = after(a, func(x *resource.Quantity) { x.Sub(b) })
	out.Back = after(a, func(x *resource.Quantity) {
		x.Sub(b)
		x.Neg()
		x.Add(a)
	})
	out.Mul = judged(a, func(x *resource.Quantity) bool { return x.Mul(q.Factor) })
	out.Neg = after(a, func(x *resource.Quantity) { x.Neg() })
	out.RoundUp = judged(a, func(x *resource.Quantity) bool { return x.RoundUp(resource.Scale(q.Scale)) })
	return out
}

// after describes a copy of q that change was applied to.
func after(q resource.Quantity, change func(*resource.Quantity)) string {
	x := q.DeepCopy()
	change(&x)
	return describe(x, nil)
}

// judged is after for a change with a verdict of its own.
func judged(q resource.Quantity, change func(*resource.Quantity) bool) string {
	var verdict bool
	text := after(q, func(x *resource.Quantity) { verdict = change(x) })
	return fmt.Sprint(verdict, " ", text)
}

func describe(q resource.Quantity, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	integer := "none"
	if value, ok := q.AsInt64(); ok {
		integer = fmt.Sprint(value)
	}
	return fmt.Sprintf("%s %s %s %d %d %d %x", q.String(), q.Format, integer, q.Value(), q.MilliValue(), q.Sign(),
		math.Float64bits(q.AsApproximateFloat64()))
}
