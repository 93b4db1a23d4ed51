package requests

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// patience is how long a server may take to answer.
const patience = 20 * time.Second

// request is one HTTP request as it is sent, escapes and all.
type request struct {
	Method, Target string
	Headers        map[string]string
	Body           string
}

func (r request) String() string {
	body := r.Body
	if len(body) > 600 {
		body = fmt.Sprintf("%s… (%d bytes)", body[:600], len(body))
	}
	return fmt.Sprintf("%s %s\nheaders %v\nbody %q", r.Method, r.Target, r.Headers, body)
}

// writes tells whether it may change something. A deletion with a body looks for its options there alone.
func (r request) writes() bool {
	options := r.Target
	if r.Method == "DELETE" && r.Body != "" {
		options = r.Body
	}
	return r.Method != "GET" && !strings.Contains(options, "dryRun=All") && !strings.Contains(options, `"dryRun":["All"]`)
}

// answer is what clients branch on. Of what went well only the code is compared: kubectl's comparison looks at the rest.
type answer struct {
	Code    int
	Reason  string
	Causes  []string
	Message string
}

// varying is what no two servers have in common.
var varying = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*|current: \d+|"[^" ]{0,6}[bcdfghjklmnpqrstvwxz2456789]{5}"`)

func (a answer) equals(other answer) bool {
	return a.Code == other.Code && a.Reason == other.Reason && slices.Equal(a.Causes, other.Causes)
}

// said is the cause in words; of a patch that leaves no object behind upstream shows Go's words for what it got.
func said(cause metav1.StatusCause) string {
	if cause.Field == "patch" {
		return fmt.Sprintf("%s patch", cause.Type)
	}
	words := ownWords.ReplaceAllString(cause.Message, "$1")
	return varying.ReplaceAllString(fmt.Sprintf("%s %s: %s", cause.Type, cause.Field, words), "X")
}

// ownWords are those in which each says what is wrong with an expression, behind the place where it is.
var ownWords = regexp.MustCompile(`(?s)(compilation failed: ERROR: <input>:\d+:\d+: ).*`)

// isFault tells whether upstream fails where the request is at fault, which we say.
func isFault(upstream, ours answer) bool {
	return upstream.Code == http.StatusInternalServerError && upstream.Reason == "" && ours.Code >= 400 && ours.Code < 500
}

// unchecked tells whether the answers differ only by rules of a core kind, of which we check the metadata alone.
func (r request) unchecked(upstream, ours answer) bool {
	if upstream.Code != http.StatusUnprocessableEntity || strings.Contains(r.Target, "/resource.k8s.io/") {
		return false
	}
	rest := slices.DeleteFunc(slices.Clone(upstream.Causes), func(cause string) bool {
		field := strings.Fields(cause)[1]
		return strings.HasPrefix(field, "spec") || strings.HasPrefix(field, "status") || strings.HasPrefix(field, "data")
	})
	return len(rest) == 0 && ours.Code < 300 || len(rest) < len(upstream.Causes) && slices.Equal(rest, ours.Causes)
}

// server is one of the two.
type server struct {
	url    string
	client *http.Client
}

func (s server) ask(r request) (answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	sent, err := http.NewRequestWithContext(ctx, r.Method, s.url+r.Target, strings.NewReader(r.Body))
	if err != nil {
		return answer{}, fmt.Errorf("no request: %w", err)
	}
	for name, value := range r.Headers {
		sent.Header.Set(name, value)
	}
	response, err := s.client.Do(sent)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	if response.StatusCode < 300 {
		return answer{Code: response.StatusCode}, nil
	}
	body, err := io.ReadAll(response.Body)
	return read(response.StatusCode, body), err
}

// read takes a Status apart; a body that is none is the message.
func read(code int, body []byte) answer {
	var status metav1.Status
	if yaml.Unmarshal(body, &status) != nil || status.Kind != "Status" {
		return answer{Code: code, Message: string(body)}
	}
	a := answer{Code: code, Reason: string(status.Reason), Message: varying.ReplaceAllString(status.Message, "X")}
	if status.Details != nil {
		for _, cause := range status.Details.Causes {
			a.Causes = append(a.Causes, said(cause))
		}
	}
	slices.Sort(a.Causes) // those of a map come in any order
	return a
}
