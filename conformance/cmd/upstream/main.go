// Upstream asks Kubernetes' own code, one JSON question a line, and prints the questions of the comparisons:
//
//	echo '{"operation":"create","object":{…}}' | go run ./cmd/upstream validate
//	go run ./cmd/upstream questions pods 1 1000
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"

	"quadra/conformance/allocate"
	"quadra/conformance/generate"
	"quadra/conformance/selector"
	"quadra/conformance/upstream"
)

// Longest question: an object has at most 3 MB, and there may be two.
const maxLine = 16 << 20

var errUsage = errors.New("usage: upstream validate|pods|convert|decode|select|allocate <QUESTIONS; upstream questions NAME SEED COUNT")

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "upstream:", err)
		os.Exit(2)
	}
}

func run(arguments []string) error {
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	switch {
	case len(arguments) == 4 && arguments[0] == "questions":
		return ask(arguments[1], arguments[2], arguments[3], out)
	case len(arguments) == 1:
		return answerAll(arguments[0], os.Stdin, out)
	}
	return errUsage
}

func answerAll(name string, in io.Reader, out *json.Encoder) error {
	answer, ok := map[string]func([]byte) any{
		"validate": upstream.Answer, "pods": upstream.Answer, "convert": upstream.Convert, "decode": upstream.Decode,
		"select": selector.Reply, "allocate": allocate.Compared,
	}[name]
	if !ok {
		return errUsage
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		value := answer(lines.Bytes())
		if text, ok := value.([]byte); ok {
			value = json.RawMessage(text)
		}
		if err := out.Encode(value); err != nil {
			return err
		}
	}
	return lines.Err()
}

func ask(name, seedText, countText string, out *json.Encoder) error {
	seed, err := strconv.ParseUint(seedText, 10, 64)
	if err != nil {
		return err
	}
	count, err := strconv.Atoi(countText)
	if err != nil {
		return err
	}
	question, err := questions(name)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(seed, 0))
	for range count {
		if err := out.Encode(question(&generate.Source{Rand: random})); err != nil {
			return err
		}
	}
	return nil
}

func questions(name string) (func(*generate.Source) any, error) {
	switch name {
	case "validate":
		return func(s *generate.Source) any { return s.ResourceQuestion() }, nil
	case "pods":
		return func(s *generate.Source) any { return s.PodQuestion() }, nil
	case "convert":
		return func(s *generate.Source) any { return s.ConversionQuestion() }, nil
	case "allocate":
		return func(s *generate.Source) any { return allocate.NewSource(s.Rand, false).World() }, nil
	case "decode":
		documents, err := generate.LoadDocuments()
		if err != nil {
			return nil, err
		}
		return func(s *generate.Source) any { return documents.Question(s) }, nil
	}
	return nil, errUsage
}
