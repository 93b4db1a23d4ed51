package upstream

import (
	"bytes"
	"encoding/json"
	"regexp"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	kjson "sigs.k8s.io/json"
)

// Unstored answers where nothing would be stored.
type Unstored struct {
	Refused bool `json:"refused"`
}

// Stored answers a Question with the object that would be stored: its JSON in v1, or in its own version where there is no v1.
// What the store itself gives a new object, uid and creation time, is left out.
func Stored(line []byte) any {
	var question Question
	if kjson.UnmarshalCaseSensitivePreserveInts(line, &question) != nil {
		return Unstored{true}
	}
	a, err := newAttempt(&question)
	if err != nil {
		return Unstored{true}
	}
	restore, err := setGates(question.FeatureGates)
	if err != nil {
		return Unstored{true}
	}
	defer restore()
	namespace.labels = question.NamespaceLabels
	if len(a.verdict().Errors) > 0 {
		return Unstored{true}
	}
	if a.operation == "create" {
		metadata(a.object).SetUID(types.UID(""))
		metadata(a.object).SetCreationTimestamp(metav1.Time{})
	}
	return json.RawMessage(settleTimes(a.encoded()))
}

// encoded is the object in the version that is stored.
func (a *attempt) encoded() []byte {
	version := a.version
	if kind := a.kindName(); legacyscheme.Scheme.Recognizes(schema.GroupVersion{Group: version.Group, Version: "v1"}.WithKind(kind)) {
		version.Version = "v1"
	}
	converted, err := legacyscheme.Scheme.ConvertToVersion(a.object, version)
	if err != nil {
		panic(err)
	}
	info, _ := runtime.SerializerInfoForMediaType(legacyscheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	text, err := runtime.Encode(info.Serializer, converted)
	if err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(text, []byte("\n"))
}

func (a *attempt) kindName() string {
	kinds, _, err := legacyscheme.Scheme.ObjectKinds(a.object)
	if err != nil {
		panic(err)
	}
	return kinds[0].Kind
}

var (
	started   = time.Now().Add(-time.Minute)
	timeAdded = regexp.MustCompile(`"timeAdded":"([^"]*)"`)
)

// settleTimes gives the taints that got the time of the request that of all questions, which quadra is told.
func settleTimes(text []byte) []byte {
	return timeAdded.ReplaceAllFunc(text, func(found []byte) []byte {
		added, err := time.Parse(time.RFC3339, string(timeAdded.FindSubmatch(found)[1]))
		if err != nil || added.Before(started) || added.After(time.Now()) {
			return found
		}
		return []byte(`"timeAdded":"` + newTime.UTC().Format(time.RFC3339) + `"`)
	})
}
