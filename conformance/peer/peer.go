// Package peer compares quadra's answers with upstream's. A comparison generates questions from a seed, has upstream answer
// each in this process and quadra in another, and fails on the first differences.
//
// Flags of every comparison: -seed, -n and -part choose the questions, or -asked names a file of them; -record rewrites the sample that `make test` replays.
package peer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var (
	seed   = flag.Uint64("seed", 1, "seed of the generated questions")
	count  = flag.Int("n", 0, "how many questions; 0 means the comparison's default")
	part   = flag.Int("part", 1, "ask one in so many of the default number of drawn questions")
	record = flag.Bool("record", false, "rewrite the recorded sample in tests/recorded")
	most   = flag.Int("most", 10, "after how many differences to stop")
	asked  = flag.String("asked", "", "file of questions to ask, one a line, instead of generated ones")
)

// Drawn is what the flags say to a comparison of another form: the seed, and how many questions to draw.
func Drawn(standard int) (uint64, int) {
	if *count > 0 {
		return *seed, *count
	}
	return *seed, standard / *part
}

// Whole is as Drawn for a comparison of which a part is not worth much: only -n changes how many it is.
func Whole(standard int) (uint64, int) {
	if *count > 0 {
		return *seed, *count
	}
	return *seed, standard
}

// Most is after how many differences to stop.
func Most() int { return *most }

// Recording tells whether the recorded sample is to be rewritten.
func Recording() bool { return *record }

// repeats is how often upstream is asked again before its answer counts as the only one.
const repeats = 200

// Comparison is one family of questions.
type Comparison struct {
	// Name of quadra's half: an answerer of quadra_peer.
	Name string
	// Module and version whose answers these are, e.g. "apimachinery-v0.37.1"; part of the recorded file's name.
	Module string
	// Default number of questions, and how many of them go into the recorded sample.
	Default, Recorded int
	// Listed says that the questions are a list, not drawn: all of them are asked always.
	Listed bool
	// Question i. It is marshalled as JSON; []byte and json.RawMessage are taken as they are.
	Ask func(random *rand.Rand, i int) any
	// Answer as upstream gives it. It is marshalled as JSON and compared byte by byte.
	Answer func(question []byte) any
	// Reduce takes out of our answer the words that may differ from upstream's. May be nil.
	Reduce func(upstream, ours []byte) []byte
	// Sample replaces Ask for the recorded sample. May be nil.
	Sample func(random *rand.Rand, i int) any
	// Unrecorded tells of upstream's answers that no recording holds, since a row of docs/deviations.md lets ours differ. May be nil.
	Unrecorded func(upstream []byte) bool
	// AsGood judges an answer of ours that differs where upstream is undecided: asked the same again and again, it answers
	// now this, now that. Where it is nil, upstream never is.
	AsGood func(question, upstream, ours []byte) bool
	// Deviates tells whether a row of docs/deviations.md covers the difference. May be nil.
	Deviates func(question, upstream, ours []byte) bool
	// Shrink makes smaller a question whose answers differ; differs tells whether those to another question do. May be nil.
	Shrink func(question []byte, differs func(question []byte) bool) []byte
	// Command overrides quadra's half, e.g. {"quadra", "validate", "--stream"}; the first word is found in build/.
	Command []string
}

// Run asks the questions, and checks that the recorded sample is what upstream says today.
func (c Comparison) Run(t *testing.T) {
	t.Helper()
	if *record {
		c.writeRecording(t)
		return
	}
	c.checkRecording(t)
	n := c.Default
	if !c.Listed {
		n /= *part
	}
	if *count > 0 {
		n = *count
	}
	if *asked != "" {
		n = c.askFrom(t, *asked)
	}
	random := rand.New(rand.NewPCG(*seed, 0))
	quadra := c.start(t)
	var counts [verdicts]int
	const batch = 256
	draw := func(from int) (questions [][]byte) {
		for i := from; i < min(from+batch, n); i++ {
			questions = append(questions, encode(t, false, c.Ask(random, i)))
		}
		return questions
	}
	next := draw(0)
	for done := 0; done < n && counts[different] < *most; done += batch {
		questions := next
		answers := quadra.ask(questions)
		next = draw(done + batch) // while quadra works
		for i, question := range questions {
			upstream := encode(t, true, c.Answer(question))
			ours, err := answers()
			if err != nil {
				t.Fatalf("%s: quadra stopped answering at question %d: %v\nquestion: %s", c.Name, done+i, err, question)
			}
			verdict := c.judge(t, question, upstream, ours)
			counts[verdict]++
			if verdict == different {
				if c.Shrink != nil {
					question, upstream, ours = c.shrunk(t, question)
				}
				t.Errorf("%s: question %d\nquestion: %s\nupstream: %s\nours:     %s", c.Name, done+i, question, upstream, ours)
			}
		}
	}
	quadra.stop(t)
	fmt.Printf("%s: seed %d, %d questions, %d differences%s\n", c.Name, *seed, n, counts[different], exceptions(counts))
}

// askFrom makes the lines of a file the questions, and returns how many there are.
func (c *Comparison) askFrom(t *testing.T, path string) int {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	c.Ask = func(_ *rand.Rand, i int) any { return lines[i] }
	return len(lines)
}

// shrunk is a smaller question whose answers differ, with both.
func (c Comparison) shrunk(t *testing.T, question []byte) (smaller, upstream, ours []byte) {
	quadra := c.start(t)
	defer quadra.stop(t)
	ask := func(question []byte) bool {
		upstream = encode(t, true, c.Answer(question))
		ours, _ = quadra.ask([][]byte{question})()
		return c.judge(t, question, upstream, ours) == different
	}
	smaller = c.Shrink(question, ask)
	ask(smaller)
	return smaller, upstream, ours
}

type verdict int

const (
	same verdict = iota
	undecided
	deviating
	different
	verdicts
)

func (c Comparison) judge(t *testing.T, question, upstream, ours []byte) verdict {
	if c.Reduce != nil && !bytes.Equal(upstream, ours) {
		ours = c.Reduce(upstream, ours)
	}
	switch {
	case bytes.Equal(upstream, ours):
		return same
	case c.isUndecided(t, question) && c.isAsGood(t, question, ours):
		return undecided
	case c.Deviates != nil && c.Deviates(question, upstream, ours):
		return deviating
	default:
		return different
	}
}

// exceptions says how many answers were let pass though they are not upstream's.
func exceptions(counts [verdicts]int) string {
	text := ""
	if counts[undecided] > 0 {
		text += fmt.Sprintf("; upstream undecided and ours as good: %d", counts[undecided])
	}
	if counts[deviating] > 0 {
		text += fmt.Sprintf("; as docs/deviations.md says: %d", counts[deviating])
	}
	return text
}

// isUndecided tells whether upstream's answer varies. Only a comparison with AsGood may have such questions.
func (c Comparison) isUndecided(t *testing.T, question []byte) bool {
	if c.AsGood == nil {
		return false
	}
	first := encode(t, true, c.Answer(question))
	return c.answersSome(t, question, func(again []byte) bool { return !bytes.Equal(first, again) })
}

// isAsGood tells whether ours is one of upstream's answers, or as good as one.
func (c Comparison) isAsGood(t *testing.T, question, ours []byte) bool {
	return c.answersSome(t, question, func(again []byte) bool { return bytes.Equal(ours, again) }) ||
		c.AsGood(question, encode(t, true, c.Answer(question)), ours)
}

// answersSome asks upstream until an answer is as wanted, repeats times at most.
func (c Comparison) answersSome(t *testing.T, question []byte, wanted func(answer []byte) bool) bool {
	for range repeats {
		if wanted(encode(t, true, c.Answer(question))) {
			return true
		}
	}
	return false
}

func (c Comparison) recordingPath() string {
	return filepath.Join(root(), "tests", "recorded", c.Name+"@"+c.Module+".jsonl")
}

// recording is the sample: question and answer lines in turn, from seed 1, without what upstream is undecided about or ours may differ in.
func (c Comparison) recording(t *testing.T) []byte {
	var out bytes.Buffer
	random := rand.New(rand.NewPCG(1, 0))
	ask := c.Ask
	if c.Sample != nil {
		ask = c.Sample
	}
	for i := range c.Recorded {
		question := encode(t, false, ask(random, i))
		if c.isUndecided(t, question) {
			continue
		}
		answer := encode(t, true, c.Answer(question))
		if c.Unrecorded != nil && c.Unrecorded(answer) {
			continue
		}
		fmt.Fprintf(&out, "%s\n%s\n", question, answer)
	}
	return out.Bytes()
}

func (c Comparison) writeRecording(t *testing.T) {
	if err := os.WriteFile(c.recordingPath(), c.recording(t), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (c Comparison) checkRecording(t *testing.T) {
	if c.Recorded == 0 {
		return
	}
	have, err := os.ReadFile(c.recordingPath())
	if err != nil {
		t.Errorf("%s: no recorded sample: %v; run with -record", c.Name, err)
	} else if !bytes.Equal(have, c.recording(t)) {
		t.Errorf("%s: the recorded sample %s is stale; run with -record", c.Name, c.recordingPath())
	}
}

type process struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func (c Comparison) start(t *testing.T) *process {
	words := c.Command
	if words == nil {
		words = []string{"quadra_peer", c.Name}
	}
	command := exec.Command(filepath.Join(root(), "build", words[0]), words[1:]...)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatalf("%v; run make build first", err)
	}
	return &process{command, in, bufio.NewReaderSize(out, 1<<20)}
}

// ask sends all questions while the caller works on its own answers, and returns an iterator over ours.
func (p *process) ask(questions [][]byte) func() ([]byte, error) {
	go func() {
		for _, question := range questions {
			if _, err := p.in.Write(append(bytes.Clone(question), '\n')); err != nil {
				return // the reader sees the end of output
			}
		}
	}()
	answers := make(chan answer, len(questions))
	go func() {
		defer close(answers)
		for range questions {
			line, err := p.out.ReadBytes('\n')
			answers <- answer{bytes.TrimSuffix(line, []byte("\n")), err}
			if err != nil {
				return
			}
		}
	}()
	return func() ([]byte, error) {
		next := <-answers
		return next.line, next.err
	}
}

type answer struct {
	line []byte
	err  error
}

func (p *process) stop(t *testing.T) {
	p.in.Close()
	if err := p.command.Wait(); err != nil {
		t.Errorf("quadra ended with %v", err)
	}
}

// encode gives one line of JSON. Answers escape HTML as Go does by default and quadra's writer too.
func encode(t *testing.T, escapeHTML bool, value any) []byte {
	switch raw := value.(type) {
	case []byte:
		return raw
	case json.RawMessage:
		return raw
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(escapeHTML)
	if err := encoder.Encode(value); err != nil {
		t.Fatalf("cannot encode %v: %v", value, err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// root is the repository: comparisons run in conformance/NAME.
func root() string {
	directory, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return filepath.Join(directory, "..", "..")
}
