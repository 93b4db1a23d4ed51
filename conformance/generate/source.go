// Package generate makes API objects for the comparisons: seeded, mostly valid, with a chosen density of faults. Objects are
// plain maps in the shape of their JSON, so that a fault may be anything JSON can say.
package generate

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Object and List are JSON values under construction.
type (
	Object = map[string]any
	List   = []any
)

// Source draws values. Faults is the probability that a single value is a bad one.
type Source struct {
	*rand.Rand
	Faults float64
}

// Asking draws each question of a comparison from a Source without faults of its own.
func Asking[T any](question func(*Source) T) func(random *rand.Rand, i int) any {
	return func(random *rand.Rand, _ int) any { return question(&Source{Rand: random}) }
}

// Chance is true with probability p.
func (s *Source) Chance(p float64) bool { return s.Float64() < p }

// Bad decides that the next value shall be wrong.
func (s *Source) Bad() bool { return s.Faults > 0 && s.Float64() < s.Faults }

// Below is like IntN, but 0 for n < 1.
func (s *Source) Below(n int) int {
	if n < 1 {
		return 0
	}
	return s.IntN(n)
}

// Pick is one of the choices.
func Pick[T any](s *Source, choices ...T) T { return choices[s.IntN(len(choices))] }

// Text is one of the good values, or a bad one. Long ones are rare, for the sake of speed.
func (s *Source) Text(good, bad []string) string {
	choices := good
	if s.Bad() {
		choices = bad
	}
	text := Pick(s, choices...)
	if len(text) > 60 && s.Chance(0.7) || len(text) > 1000 && s.Chance(0.9) {
		text = Pick(s, choices...)
	}
	return text
}

// Size is the length of a list: usually few, sometimes the limit, as a fault one more. A limit over 40 is reached only rarely,
// for the sake of speed.
func (s *Source) Size(few, limit int) int {
	rare := 1.0
	if limit > 40 {
		rare = 0.1
	}
	switch {
	case s.Faults > 0 && s.Chance(s.Faults*0.3*rare):
		return limit + 1
	case s.Chance(0.01 * rare):
		return limit
	}
	return s.Below(few + 1)
}

// Fill makes a list of n elements.
func Fill(n int, element func(i int) any) List {
	list := make(List, 0, n)
	for i := range n {
		list = append(list, element(i))
	}
	return list
}

// Maybe sets a field with probability p.
func (s *Source) Maybe(p float64, object Object, field string, value func() any) {
	if s.Chance(p) {
		object[field] = value()
	}
}

// Names of all sorts, good and bad.
var (
	label63     = strings.Repeat("a", 63)
	subdomain   = strings.Repeat(strings.Repeat("b", 63)+".", 3) + strings.Repeat("c", 61) // 253 bytes
	driver63    = strings.Repeat("d", 50) + ".example.com1"
	identifier  = strings.Repeat("i", 32)
	goodLabels  = []string{"a", "gpu", "gpu-0", "req-0", "0", label63}
	badLabels   = []string{"", "A", "a.b", "-a", "a-", "a_b", label63 + "a", "ä", "a/b", " a", subdomain + "x", "\"q\"", "<a&b>"}
	goodDomains = []string{"a", "node-1", "gpu.example.com", "a.b.c", subdomain}
	badDomains  = []string{"", "A.b", "a..b", ".a", "a.", "a_b", subdomain + "c", "a/b", "ü.de", "\x01", "a b"}
	goodDrivers = []string{"gpu.example.com", "nic.example.com", "d", driver63}
	badDrivers  = []string{"", "GPU.example.com", driver63 + "2", "A_b", "a_b", "a/b", "-d", strings.Repeat("D", 70), "é"}
	goodPools   = []string{"pool-1", "node-1", "a/b/c", "node.a/x.y", subdomain}
	badPools    = []string{"", "/a", "a/", "a//b", "A/b", "a_b", subdomain + "c", "/", "a/B_/", strings.Repeat("p", 300)}
	goodKeys    = []string{"model", "a.b/c", "gpu.example.com/model", "gpu.example.com/type", "_x", "Vendor", identifier, driver63 + "/" + identifier, "GPU.com/x"}
	badKeys     = []string{"", "/a", "a/", "/", "1a", "a-b", identifier + "i", driver63 + "d/x", "a/b/c", "a_b/c", "ö", strings.Repeat("x", 97), strings.Repeat("y.", 40) + "z/" + strings.Repeat("k", 60), "a b/c"}
	goodFQNs    = []string{"gpu.example.com/model", "gpu.example.com/type", "a.b/c", "example.com/" + identifier, driver63 + "/x"}
	badFQNs     = []string{"", "model", "A.com/x", "a/b/c", "/x", "x/", "a_b/x", "a.b/1x", "a.b/" + identifier + "i", driver63 + "d/x", "/", "a.b/c-d", "A_/-"}
	goodTaints  = []string{"a", "example.com/unhealthy", "gpu.example.com/broken", "A_b.c", label63}
	badTaints   = []string{"", "/a", "a/", "a b", "-a", label63 + "a", "a/b/c", "A_b/c", subdomain + "c/d", "ä"}
	goodValues  = []string{"", "a", "A.b_c-d", "true", label63}
	badValues   = []string{"-a", "a b", label63 + "b", "a/b", "ü", "_"}
	goodUUIDs   = []string{"3f2504e0-4f89-41d3-9a0c-0305e82c3301", "00000000-0000-0000-0000-000000000000", "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"}
	badUUIDs    = []string{"", "3F2504E0-4F89-41D3-9A0C-0305E82C3301", "3f2504e04f8941d39a0c0305e82c3301", "x", "{3f2504e0-4f89-41d3-9a0c-0305e82c3301}", "3f2504e0-4f89-41d3-9a0c-0305e82c330g", "urn:uuid:3f2504e0-4f89-41d3-9a0c-0305e82c3301"}
	versions    = []string{"1.0.0", "1.2.3-alpha.1+build.5", "0.0.0", "10.20.30"}
	badVersions = []string{"", "1.2", "v1.0.0", "1.0.0-01", "01.0.0", "1.0.0-", "1.0.0+", "a", "1.0.0-" + strings.Repeat("a", 70), strings.Repeat("9", 30) + ".0.0"}
	quantities  = []string{"1", "10Gi", "1500m", "0", "5", "100", "1e3", "1024Ki", "10", "2", "80Gi", "4"}
	oddAmounts  = []string{"-1", "100E", "0.5", "1m", "-1500m", "1n", "8Ei", "1000E", "0.0001", "+1", "1.", "9223372036854775807", "9223372036854775808", "-10Gi", "3", "7", "1.5Gi", "1u"}
	times       = []string{"2026-01-02T03:04:05Z", "2026-11-15T07:00:00Z", "2025-06-30T23:59:59+02:00", "1970-01-01T00:00:00Z"}
)

func (s *Source) label() string    { return s.Text(goodLabels[:5], badLabels) }
func (s *Source) domain() string   { return s.Text(goodDomains, badDomains) }
func (s *Source) driver() string   { return s.Text(goodDrivers, badDrivers) }
func (s *Source) pool() string     { return s.Text(goodPools, badPools) }
func (s *Source) key() string      { return s.Text(goodKeys, badKeys) }
func (s *Source) fqn() string      { return s.Text(goodFQNs, badFQNs) }
func (s *Source) quantity() string { return s.Text(quantities, oddAmounts) }
func (s *Source) uuid() string     { return s.Text(goodUUIDs, badUUIDs) }
func (s *Source) time() string     { return Pick(s, times...) }

// unique is a name for element i of a list; as a fault any name, perhaps one given before.
func (s *Source) unique(prefix string, i int) string {
	switch {
	case !s.Bad():
		return fmt.Sprintf("%s-%d", prefix, i)
	case s.Chance(0.4):
		return fmt.Sprintf("%s-%d", prefix, s.Below(i+1))
	}
	return Pick(s, append(badLabels, goodLabels...)...)
}

func (s *Source) bool() bool { return s.Chance(0.5) }

// number is a good one, or as a fault one of the edges.
func (s *Source) number(good ...int64) int64 {
	if s.Bad() {
		return Pick[int64](s, -1, -1, -1, 0, 0, 0, 1, 2, -9223372036854775808, 9223372036854775807, 1000000)
	}
	return Pick(s, good...)
}

// Parameters of a driver: at most 10 KiB of JSON object.
func (s *Source) parameters() any {
	if !s.Bad() {
		if s.Chance(0.005) {
			return Object{"p": filler(10240 - 8)}
		}
		return Pick[any](s, Object{"a": int64(1)}, Object{"kind": "GpuConfig", "apiVersion": "gpu/v1", "sharing": Object{"mode": "x"}}, Object{})
	}
	if s.Chance(0.1) {
		return Object{"p": filler(10240 - 7)}
	}
	return Pick[any](s, nil, List{}, "text", int64(7), true, List{Object{}})
}

func filler(n int) string { return strings.Repeat("f", n) }
