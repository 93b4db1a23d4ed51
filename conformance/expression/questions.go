package expression

import (
	"fmt"
	"math/rand/v2"
	"os"
	"unicode/utf8"
)

func readFile(path string) (string, error) {
	text, err := os.ReadFile(path)
	return string(text), err
}

// Question asks about one expression and one device.
type Question struct {
	Expression   string          `json:"expression"`
	Device       Object          `json:"device,omitempty"`
	Env          string          `json:"env,omitempty"`
	FeatureGates map[string]bool `json:"featureGates,omitempty"`
	As           string          `json:"as,omitempty"`
}

// Stream asks about one expression after the other, each on several devices.
type Stream struct {
	Table *Table
	Seeds []string
	// Devices says on how many devices an expression is evaluated; one that does not compile needs no more than one.
	Devices func(Question) int
	Seen    map[string]bool // distinct expressions so far
	Sparse  bool            // few attributes a device

	current Question
	left    int
}

// Next is the next question.
func (s *Stream) Next(random *rand.Rand) Question {
	source := Source{random}
	if s.left == 0 {
		s.current = s.question(source)
		s.left = max(1, s.Devices(s.current))
		s.Seen[s.current.Expression] = true
	}
	s.left--
	s.current.Device = source.Device(s.densities()...)
	if source.Chance(3) {
		s.current.Device = nil
	}
	return s.current
}

// question is one about an expression that was not asked before.
func (s *Stream) question(source Source) Question {
	for {
		question := s.draw(source)
		if !s.Seen[question.Expression] && utf8.ValidString(question.Expression) {
			return question
		}
	}
}

func (s *Stream) draw(source Source) Question {
	question := Question{Env: Pick(source, "", "new", "stored", "stored")}
	if source.Chance(12) {
		question.FeatureGates = Pick(source, map[string]bool{"DRAListTypeAttributes": true}, map[string]bool{"DRAConsumableCapacity": false},
			map[string]bool{"DRAConsumableCapacity": false, "DRAListTypeAttributes": true}, map[string]bool{"DRAConsumableCapacity": true, "DRAListTypeAttributes": false})
	}
	if source.Chance(10) {
		question.As = Pick(source, "derived", "derived", "derived", "selector")
	}
	dyn := question.Env == "stored" || question.FeatureGates["DRAListTypeAttributes"]
	switch {
	case source.IntN(20_000) == 0:
		question.Expression = fmt.Sprintf("lists.range(1000).all(x, lists.range(%d).all(y, x + y >= 0))", source.IntN(2000)) // exceeds the limit
	case source.Chance(12) && len(s.Seeds) > 0:
		question.Expression = Pick(source, s.Seeds...)
		if s.Seen[question.Expression] {
			question.Expression = source.Mutate(s.Seeds)
		}
	case source.Chance(20):
		question.Expression = source.Mutate(s.Seeds)
	case source.Chance(6):
		question.Expression = source.Garbage()
	case question.As == "derived":
		question.Expression = NewTyped(source, s.Table, dyn).Derived()
	default:
		question.Expression = NewTyped(source, s.Table, dyn).Selector()
	}
	return question
}

// densities are shares of the names that a device has, in percent.
func (s *Stream) densities() []int {
	if s.Sparse {
		return []int{2, 5, 10}
	}
	return []int{10, 40, 90}
}
