package upstream

import (
	"bytes"
	"encoding/json"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	kjson "sigs.k8s.io/json"
)

// Conversion is a question about one object: its JSON in another version. No defaults are set on the way.
type Conversion struct {
	Object json.RawMessage `json:"object"`
	To     string          `json:"to"`
}

// Convert answers with the bytes upstream's encoder writes, or as Compared does where there are none.
func Convert(line []byte) any {
	var question Conversion
	if err := kjson.UnmarshalCaseSensitivePreserveInts(line, &question); err != nil {
		return Senseless{}
	}
	version, err := schema.ParseGroupVersion(question.To)
	if err != nil {
		return Senseless{}
	}
	object, _, err := legacyscheme.Codecs.UniversalDeserializer().Decode(question.Object, nil, nil)
	if err != nil {
		return Undecodable{Decode: "error", Path: PathOf(err)}
	}
	text, err := convert(object, version)
	if err != nil {
		return Senseless{}
	}
	return text
}

func convert(object runtime.Object, version schema.GroupVersion) ([]byte, error) {
	internal, err := legacyscheme.Scheme.ConvertToVersion(object, runtime.InternalGroupVersioner)
	if err != nil {
		return nil, err
	}
	converted, err := legacyscheme.Scheme.ConvertToVersion(internal, version)
	if err != nil {
		return nil, err
	}
	info, _ := runtime.SerializerInfoForMediaType(legacyscheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	text, err := runtime.Encode(info.Serializer, converted)
	return bytes.TrimSuffix(text, []byte("\n")), err
}
