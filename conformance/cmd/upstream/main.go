// Upstream asks Kubernetes' own code, one JSON question a line:
//
//	echo '{"operation":"create","object":{…}}' | go run ./cmd/upstream validate
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"quadra/conformance/upstream"
)

// Longest question: an object has at most 3 MB, and there may be two.
const maxLine = 16 << 20

var answerers = map[string]func([]byte) any{
	"validate": upstream.Answer,
	"convert":  upstream.Convert,
	"decode":   upstream.Decode,
}

func main() {
	if len(os.Args) != 2 || answerers[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: upstream validate|convert|decode <QUESTIONS")
		os.Exit(2)
	}
	if err := answerAll(answerers[os.Args[1]]); err != nil {
		fmt.Fprintln(os.Stderr, "upstream:", err)
		os.Exit(1)
	}
}

func answerAll(answer func([]byte) any) error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, maxLine)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		if err := out.Encode(answer(lines.Bytes())); err != nil {
			return err
		}
	}
	return lines.Err()
}
