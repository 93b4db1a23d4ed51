package requests

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// most requests of the recording are drawn; it must not grow large.
const mostRecorded = 1000

// line is one of the recording: what was asked, and what kube-apiserver said.
type line struct {
	Method  string            `json:"method"`
	Target  string            `json:"target"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body,omitempty"`
	Code    int               `json:"code"`
	Reason  string            `json:"reason,omitempty"`
	Causes  []string          `json:"causes,omitempty"`
}

func (l line) request() request {
	return request{Method: l.Method, Target: l.Target, Headers: l.Headers, Body: l.Body}
}

// recordingPath names the file that `make test` replays on our server alone.
func recordingPath() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "tests", "server", "requests@kubernetes-v1.37.1.jsonl")
}

// isLasting tells whether the same request has the same answer whenever it is asked, in words that are the same everywhere.
func isLasting(r request, a answer) bool {
	varies := slices.ContainsFunc(a.Causes, func(cause string) bool {
		return strings.Contains(cause, "X") || strings.Contains(cause, "compilation failed")
	})
	changes := r.writes() && a.Code < 300
	return !varies && !changes && utf8.ValidString(r.Body) && len(r.Body) < 2000 && !strings.Contains(r.Target, "watch") &&
		!strings.Contains(r.Target, "resourceVersion") && !strings.Contains(r.Target, "continue")
}

// keep adds what was asked to the recording.
func (c *comparison) keep(r request, a answer) {
	if len(c.kept) < mostRecorded && isLasting(r, a) {
		c.kept = append(c.kept, line{r.Method, r.Target, r.Headers, r.Body, a.Code, a.Reason, a.Causes})
	}
}

// writeRecording is the world, as requests that make it, and all that was kept.
func (c *comparison) writeRecording() error {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	for _, each := range world {
		made := line{Method: "POST", Target: each.collection, Headers: map[string]string{"Content-Type": "application/json"}, Body: each.body, Code: 201}
		if err := encoder.Encode(made); err != nil {
			return err
		}
	}
	for _, each := range c.kept {
		if err := encoder.Encode(each); err != nil {
			return err
		}
	}
	return os.WriteFile(recordingPath(), out.Bytes(), 0o644)
}

// checkRecording asks kube-apiserver again.
func (c *comparison) checkRecording(t *testing.T) {
	file, err := os.Open(recordingPath())
	if err != nil {
		t.Errorf("no recorded sample: %v; run with -record", err)
		return
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		var each line
		if err := json.Unmarshal(lines.Bytes(), &each); err != nil {
			t.Fatal(fmt.Errorf("%s:%d: %w", recordingPath(), number, err))
		}
		if number <= len(world) {
			continue
		}
		got, err := c.real.ask(each.request())
		if err != nil || !got.equals(answer{Code: each.Code, Reason: each.Reason, Causes: each.Causes}) {
			t.Errorf("%s:%d is stale, upstream says %+v %v; run with -record", recordingPath(), number, got, err)
			return
		}
	}
}
