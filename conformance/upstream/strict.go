package upstream

import (
	"encoding/json"
	"errors"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	kjson "sigs.k8s.io/json"
)

// Document asks whether a text is an object; it is a string, since it need not be JSON.
type Document struct {
	Object string `json:"object"`
}

// Accepted and Refused answer it. The reason is one of
//
//	syntax  the text is no JSON
//	kind    there is no kind or version, or none that is known
//	value   a quantity, time or other special value cannot be parsed; no path is named
//	type    a value has the wrong JSON type; the path has neither indices nor map keys
//	strict  a field is unknown or given twice; the path is the first one's, with indices, the message names all
type (
	Accepted struct {
		Accept bool `json:"accept"`
	}
	Refused struct {
		Refuse  string `json:"refuse"`
		Path    string `json:"path,omitempty"`
		Message string `json:"message,omitempty"`
	}
)

// every holds all built-in versioned kinds and CustomResourceDefinition.
var every = everyKind()

func everyKind() *runtime.Scheme {
	all := runtime.NewScheme()
	utilruntime.Must(scheme.AddToScheme(all))
	utilruntime.Must(apiextensionsv1.AddToScheme(all))
	return all
}

var strictJSON = serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, every, every, serializer.SerializerOptions{Strict: true})

// Decode answers a Document.
func Decode(line []byte) any {
	var question Document
	if err := kjson.UnmarshalCaseSensitivePreserveInts(line, &question); err != nil {
		return Senseless{}
	}
	text := []byte(question.Object)
	if !json.Valid(text) {
		return Refused{Refuse: "syntax"}
	}
	_, gvk, err := strictJSON.Decode(text, nil, nil)
	switch {
	case err == nil:
		return Accepted{true}
	case gvk == nil || runtime.IsMissingKind(err) || runtime.IsMissingVersion(err) || runtime.IsNotRegisteredError(err):
		return Refused{Refuse: "kind"}
	case runtime.IsStrictDecodingError(err):
		return Refused{"strict", PathOf(err), strings.TrimPrefix(err.Error(), "strict decoding error: ")}
	}
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) {
		return Refused{Refuse: "type", Path: wrongType.Field}
	}
	return Refused{Refuse: "value"}
}
