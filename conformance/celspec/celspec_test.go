package celspec

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"quadra/conformance/peer"
)

// suite is the tests, found again by the question that asks them.
type suite struct {
	tests []Test
	asked map[string][]int // by the question's text, which several tests may share
}

func load(t *testing.T, profile string) *suite {
	tests, total, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	s := &suite{tests, map[string][]int{}}
	for i, test := range tests {
		question := jsonText(test.question(profile))
		s.asked[question] = append(s.asked[question], i)
	}
	fmt.Printf("celspec, %s: %d tests, %d need no message\n", profile, total, len(tests))
	return s
}

func (s *suite) of(question []byte) Test { return s.tests[s.asked[string(question)][0]] }

// TestKubernetes: each test behaves as it does in upstream's environment for device expressions.
func TestKubernetes(t *testing.T) {
	s := load(t, "k8s")
	s.printUpstreamCounts()
	peer.Comparison{
		Name: "celspec", Module: "cel-go-v0.29.2", Listed: true, Default: len(s.tests), Recorded: len(s.tests),
		Ask:    func(_ *rand.Rand, i int) any { return []byte(jsonText(s.tests[i%len(s.tests)].question("k8s"))) },
		Answer: func(question []byte) any { return s.of(question).upstreamAnswer() },
	}.Run(t)
}

// printUpstreamCounts says how many tests upstream itself passes, file by file.
func (s *suite) printUpstreamCounts() {
	count := newTally()
	for _, test := range s.tests {
		wanted := test.expected()
		count.add(test.File, jsonText(asWanted(test.upstreamAnswer(), wanted)) == jsonText(wanted))
	}
	count.print("upstream's DRA environment passes")
}

// TestSpecification: each test behaves as the suite asks, but for those that exceptions.txt lists with a reason.
func TestSpecification(t *testing.T) {
	s := load(t, "spec")
	exceptions := readExceptions(t)
	var expected []int
	for i, test := range s.tests {
		if _, excepted := exceptions[test.File+"/"+test.Name]; !excepted {
			expected = append(expected, i)
		}
	}
	deviating := map[string]bool{}
	ask := func(test Test) any { return []byte(jsonText(test.question("spec"))) }
	peer.Comparison{
		Name: "celspec", Module: "cel-spec-v0.25.2", Listed: true, Default: len(s.tests), Recorded: len(expected),
		Ask:    func(_ *rand.Rand, i int) any { return ask(s.tests[i%len(s.tests)]) },
		Sample: func(_ *rand.Rand, i int) any { return ask(s.tests[expected[i]]) },
		Answer: func(question []byte) any { return s.of(question).expected() },
		Deviates: func(question, _, _ []byte) bool {
			listed := false
			for _, i := range s.asked[string(question)] {
				name := s.tests[i].File + "/" + s.tests[i].Name
				deviating[name] = true
				listed = listed || exceptions[name] != ""
			}
			return listed
		},
	}.Run(t)
	s.checkExceptions(t, exceptions, deviating)
}

// checkExceptions fails where a listed test behaves as asked, or is no test.
func (s *suite) checkExceptions(t *testing.T, exceptions map[string]string, deviating map[string]bool) {
	if len(deviating) == 0 && len(exceptions) > 0 {
		return // recording asks nothing
	}
	count := newTally()
	known := map[string]bool{}
	for _, test := range s.tests {
		name := test.File + "/" + test.Name
		known[name] = true
		count.add(test.File, !deviating[name])
		if exceptions[name] != "" && !deviating[name] {
			t.Errorf("celspec: %s is listed in exceptions.txt, yet behaves as the suite asks", name)
		}
	}
	for name := range exceptions {
		if !known[name] {
			t.Errorf("celspec: exceptions.txt lists %s, which is no test", name)
		}
	}
	count.print("quadra passes in the specification's profile")
}

// readExceptions: a reason after each name, separated by a tab.
func readExceptions(t *testing.T) map[string]string {
	text, err := os.ReadFile("exceptions.txt")
	if err != nil {
		t.Fatal(err)
	}
	exceptions := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, reason, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); found && !strings.HasPrefix(line, "#") {
			exceptions[name] = reason
		}
	}
	return exceptions
}

// tally counts passes file by file, in order.
type tally struct {
	files         []string
	count, passed map[string]int
}

func newTally() *tally { return &tally{nil, map[string]int{}, map[string]int{}} }

func (c *tally) add(file string, passed bool) {
	if c.count[file] == 0 {
		c.files = append(c.files, file)
	}
	c.count[file]++
	if passed {
		c.passed[file]++
	}
}

func (c *tally) print(title string) {
	text, count, passed := "", 0, 0
	for _, file := range c.files {
		text += fmt.Sprintf(" %s %d/%d,", file, c.passed[file], c.count[file])
		count += c.count[file]
		passed += c.passed[file]
	}
	fmt.Printf("celspec: %s %d/%d:%s\n", title, passed, count, strings.TrimSuffix(text, ","))
}
