// Package forms compares the bodies of our server's answers with kube-apiserver's: every object and collection of a small world,
// in every form that a client can ask for. Uids, times, revisions and managed fields are taken out first.
package forms

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"

	"quadra/conformance/ourserver"
	"quadra/conformance/peer"
	"quadra/conformance/realserver"
)

// accepts are the forms.
var accepts = []string{
	"", "*/*", "application/json", "application/yaml", "application/vnd.kubernetes.protobuf",
	"application/json;as=Table;v=v1;g=meta.k8s.io", "application/json;as=Table;v=v1beta1;g=meta.k8s.io",
	"application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io",
	"application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
	"application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
	"application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
	"application/yaml;as=Table;v=v1;g=meta.k8s.io",
}

// queries are put behind each.
var queries = []string{"", "?limit=1", "?labelSelector=nobody", "?includeObject=Object", "?includeObject=None", "?resourceVersion=0"}

type server struct {
	name, url string
	client    *http.Client
}

// ask returns code, type and body.
func (s server) ask(method, target, accept, body string) (string, error) {
	request, err := http.NewRequest(method, s.url+target, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	if accept != "" {
		request.Header.Set("Accept", accept)
	}
	if method == "PATCH" {
		request.Header.Set("Content-Type", "application/merge-patch+json")
	} else if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := s.client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil {
		return "", err
	}
	return shown(response.StatusCode, response.Header.Get("Content-Type"), got)
}

var types = runtime.NewScheme()

func init() {
	utilruntime.Must(scheme.AddToScheme(types))
	utilruntime.Must(metav1.AddMetaToScheme(types))
	utilruntime.Must(metav1beta1.AddMetaToScheme(types))
	metav1.AddToGroupVersion(types, metav1.SchemeGroupVersion)
}

// shown is an answer as indented JSON, without what no two servers have in common.
func shown(code int, contentType string, body []byte) (string, error) {
	end := ""
	if strings.Contains(contentType, "protobuf") {
		object, _, err := protobuf.NewSerializer(types, types).Decode(body, nil, nil)
		if err != nil {
			return "", fmt.Errorf("%s: %w", contentType, err)
		}
		if body, err = json.Marshal(object); err != nil {
			return "", err
		}
	} else if bytes.HasSuffix(body, []byte("\n")) {
		end = "and a line break"
	}
	var value any
	if err := yaml.Unmarshal(body, &value); err != nil {
		return "", fmt.Errorf("%s: %w", body, err)
	}
	indented, err := json.MarshalIndent(normal(value), "", " ")
	return fmt.Sprintf("%d %s %s\n%s", code, contentType, end, indented), err
}

var varying = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|kube-api-access-\w{5}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|^\d+s$|^<unknown>$`)

// normal takes out what differs, and puts a word for it.
func normal(value any) any {
	switch v := value.(type) {
	case map[string]any:
		delete(v, "managedFields")
		if annotations, ok := v["annotations"].(map[string]any); ok { // upstream's tables lack it
			delete(annotations, "deprecated.daemonset.template.generation")
			if len(annotations) == 0 {
				delete(v, "annotations")
			}
		}
		for key, member := range v {
			switch key {
			case "uid", "resourceVersion", "continue", "remainingItemCount":
				v[key] = "VARIES"
			case "description", "example": // our own words
				v[key] = "WORDS"
			case "raw":
				v[key] = normalRaw(member)
			default:
				v[key] = normal(member)
			}
		}
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	case string:
		return varying.ReplaceAllString(v, "VARIES")
	}
	return value
}

// normalRaw is of an object inside another in protobuf, which Go shows in base64.
func normalRaw(any) any { return "OBJECT" }

// start makes the world on each.
func start(t *testing.T) (real, ours server) {
	t.Helper()
	theirs, err := realserver.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(theirs.Stop)
	mine, err := ourserver.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(mine.Stop)
	real, ours = server{"upstream", theirs.URL, theirs.Client}, server{"ours", mine.URL, mine.Client}
	for _, each := range []server{real, ours} {
		for _, made := range world {
			if got, err := each.ask("POST", made.collection, "application/json", made.body); err != nil || !strings.HasPrefix(got, "201") {
				t.Fatalf("%s: %s: %s %v", each.name, made.collection, got, err)
			}
		}
	}
	return real, ours
}

func TestForms(t *testing.T) {
	real, ours := start(t)
	asked, differences := 0, 0
	compare := func(method, target, accept, body string) {
		if strings.Contains(accept, "as=Table") && strings.Contains(target, "csistoragecapacities") {
			return // docs/deviations.md
		}
		asked++
		want, err := real.ask(method, target, accept, body)
		got, ourErr := ours.ask(method, target, accept, body)
		if err != nil || ourErr != nil || want != got {
			differences++
			if differences <= peer.Most() {
				t.Errorf("%s %s\nAccept: %s\nupstream: %s %v\nours:     %s %v", method, target, accept, want, err, got, ourErr)
			}
		}
	}
	for _, made := range world {
		for _, accept := range accepts {
			for _, query := range queries {
				compare("GET", made.collection+query, accept, "")
			}
			for _, part := range made.parts {
				compare("GET", made.collection+"/"+made.name+part, accept, "")
			}
		}
	}
	for _, each := range changes {
		compare("PATCH", each.target, "application/json", each.patch)
	}
	for _, made := range world {
		object := made.collection + "/" + made.name
		compare("PATCH", object, "application/json", `{"metadata":{"labels":{"changed":"yes"}}}`)
		compare("PATCH", object, "application/json", `{"metadata":{"finalizers":["example.com/keep"]}}`)
	}
	for _, made := range slices.Backward(world) {
		object := made.collection + "/" + made.name
		compare("DELETE", object, "application/json", `{"propagationPolicy":"Background"}`)
		compare("PATCH", object, "application/json", `{"metadata":{"finalizers":null}}`)
		compare("DELETE", object, "application/json", `{"gracePeriodSeconds":0}`)
	}
	fmt.Printf("forms: %d answers, %d differences\n", asked, differences)
}
