// Package metrics compares what /metrics of both servers tells after the same requests: of every family that we serve, upstream
// serves one with the same type, the same labels and the same bounds; and of those that count requests, every
// series that we have of what was asked, upstream has too, with the same value.
package metrics

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quadra/conformance/ourserver"
	_ "quadra/conformance/peer" // the flags of every comparison
	"quadra/conformance/realserver"
)

const maps = "/api/v1/namespaces/default/configmaps"

// requests are made of both, in this order; each is a method, a path, a content type and a body.
var requests = [][4]string{
	{"POST", maps, "application/json", `{"metadata":{"name":"a"}}`},
	{"POST", maps + "?dryRun=All", "application/json", `{"metadata":{"name":"b"}}`},
	{"POST", maps + "?dryRun=Bad", "application/json", `{"metadata":{"name":"b"}}`},
	{"GET", maps + "/a"},
	{"GET", maps + "/nothere"},
	{"GET", maps},
	{"GET", "/api/v1/configmaps?limit=1"},
	{"GET", maps + "?watch=1&timeoutSeconds=1"},
	{"GET", "/api/v1/configmaps?watch=1&timeoutSeconds=1&resourceVersion=0"},
	{"PATCH", maps + "/a", "application/merge-patch+json", `{"data":{"a":"b"}}`},
	{"PUT", maps + "/a", "application/json", `{"metadata":{"name":"a"}}`},
	{"PUT", maps, "application/json", `{"metadata":{"name":"a"}}`},
	{"DELETE", maps + "/a"},
	{"DELETE", maps},
	{"OPTIONS", maps},
	{"GET", "/api/v1/nothings"},
	{"GET", "/apis/resource.k8s.io/v1beta1/resourceslices"},
	{"GET", "/api/v1/namespaces/default/status"},
	{"GET", "/version"},
	{"GET", "/livez/ping"},
	{"GET", "/openapi/v3"},
	{"GET", "/openapi/v3/apis/resource.k8s.io/v1"},
	{"GET", "/nothing"},
}

// counted are the families whose values are compared, of the resources that only we ask for.
var counted = []string{"apiserver_request_total", "apiserver_request_duration_seconds", "apiserver_response_sizes"}

func TestMetrics(t *testing.T) {
	ours, err := ourserver.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Stop()
	real, err := realserver.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer real.Stop()

	got, want := ask(t, ours.Client, ours.URL), ask(t, real.Client, real.URL)
	if len(got) < 19 {
		t.Errorf("we serve only %d families", len(got))
	}
	for name, family := range got {
		upstream, ok := want[name]
		if !ok {
			t.Errorf("%s: upstream has no such family", name)
			continue
		}
		if family.kind != upstream.kind || !slices.Equal(family.labels, upstream.labels) {
			t.Errorf("%s: %s %v, upstream: %s %v", name, family.kind, family.labels, upstream.kind, upstream.labels)
		}
		if !slices.Equal(family.bounds, upstream.bounds) {
			t.Errorf("%s: bounds %v, upstream: %v", name, family.bounds, upstream.bounds)
		}
		compareSeries(t, name, family, upstream)
	}
	t.Logf("metrics: %d families of ours are upstream's", len(got))
}

// compareSeries looks at what the requests above alone have counted: the real server writes configmaps of its own.
func compareSeries(t *testing.T, name string, ours, upstream *family) {
	if !slices.Contains(counted, name) {
		return
	}
	for labels, value := range ours.series {
		asked := strings.Contains(labels, `resource="resourceslices"`) || strings.Contains(labels, `subresource="openapi`) ||
			strings.Contains(labels, `resource="configmaps"`) && !strings.Contains(labels, `verb="P`)
		if asked && upstream.series[labels] != value {
			t.Errorf("%s{%s}: %s, upstream: %q", name, labels, value, upstream.series[labels])
		}
	}
}

// ask makes all requests, then reads what the server says of itself.
func ask(t *testing.T, client *http.Client, url string) map[string]*family {
	var text string
	for _, request := range append(slices.Clone(requests), [4]string{"GET", "/metrics"}) {
		made, err := http.NewRequest(request[0], url+request[1], strings.NewReader(request[3]))
		if err != nil {
			t.Fatal(err)
		}
		made.Header.Set("Content-Type", request[2])
		answer, err := client.Do(made)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		text = string(body)
	}
	return parse(t, text)
}

// family is what the text format says of one name.
type family struct {
	kind   string
	labels []string          // sorted, without le
	bounds []string          // of histograms
	series map[string]string // values, or counts of histograms, by sorted labels
}

func parse(t *testing.T, text string) map[string]*family {
	families := map[string]*family{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if declared, ok := strings.CutPrefix(line, "# TYPE "); ok {
			name, kind, _ := strings.Cut(declared, " ")
			families[name] = &family{kind: kind, series: map[string]string{}}
		} else if line != "" && !strings.HasPrefix(line, "#") {
			if err := take(families, line); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
		}
	}
	for name, family := range families {
		if len(family.series) == 0 {
			delete(families, name)
		}
	}
	return families
}

// take reads one sample into its family.
func take(families map[string]*family, line string) error {
	end := strings.LastIndex(line, " ")
	name, labels, _ := strings.Cut(line[:end], "{")
	pairs := split(strings.TrimSuffix(labels, "}"))
	of, suffix := families[name], ""
	for _, each := range []string{"_bucket", "_sum", "_count"} {
		if of == nil && strings.HasSuffix(name, each) {
			of, suffix = families[strings.TrimSuffix(name, each)], each
		}
	}
	if of == nil {
		return fmt.Errorf("a sample of no family")
	}
	names := []string{}
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, "=")
		if key == "le" && suffix == "_bucket" {
			if bound := strings.Trim(value, `"`); !slices.Contains(of.bounds, bound) {
				of.bounds = append(of.bounds, bound)
			}
			continue
		}
		if key == "quantile" { // of summaries, which have no such label in their sums
			continue
		}
		names = append(names, key)
	}
	slices.Sort(names)
	slices.Sort(pairs)
	if of.labels == nil {
		of.labels = names
	} else if !slices.Equal(of.labels, names) {
		return fmt.Errorf("labels differ within a family")
	}
	if suffix == "" || suffix == "_count" {
		of.series[strings.Join(pairs, ",")] = line[end+1:]
	}
	return nil
}

// split cuts a="1",b="x,y" into its pairs.
func split(labels string) []string {
	var pairs []string
	for labels != "" {
		open := strings.Index(labels, `"`)
		end := open + 1
		for ; labels[end] != '"'; end++ {
			if labels[end] == '\\' {
				end++
			}
		}
		pairs = append(pairs, labels[:end+1])
		labels = strings.TrimPrefix(labels[end+1:], ",")
	}
	return pairs
}
