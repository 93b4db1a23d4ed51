package clientgo

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"k8s.io/client-go/transport"
)

type wrapper = transport.WrapperFunc

// log keeps the requests of a client and how they were answered.
type log struct {
	mutex sync.Mutex
	lines []string
}

// wrap is for clients whose requests are to be kept.
func (l *log) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		line := fmt.Sprintf("%s %s", request.Method, request.URL.RequestURI())
		response, err := next.RoundTrip(request)
		if err != nil {
			return nil, err
		}
		l.mutex.Lock()
		defer l.mutex.Unlock()
		l.lines = append(l.lines, fmt.Sprintf("%s accepting %s: %d %s", line, request.Header.Get("Accept"), response.StatusCode, response.Header.Get("Content-Type")))
		return response, nil
	})
}

// noteFor notes the requests for this resource, in their order.
func (l *log) noteFor(s *side, resource string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, line := range l.lines {
		if strings.Contains(line, "/"+resource) {
			s.note("%s", line)
		}
	}
}

// count is how many of the requests contain these words.
func (l *log) count(words string) int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return len(slices.DeleteFunc(slices.Clone(l.lines), func(line string) bool { return !strings.Contains(line, words) }))
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }
