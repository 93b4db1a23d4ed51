package upstream

import (
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	kjson "sigs.k8s.io/json"
)

var (
	strictDecoder  = internalDecoder(true)
	lenientDecoder = internalDecoder(false)
)

// internalDecoder reads any registered version, sets its defaults and converts to the internal version.
func internalDecoder(strict bool) runtime.Decoder {
	info, ok := runtime.SerializerInfoForMediaType(legacyscheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	if !ok {
		panic("no JSON serializer")
	}
	serializer := info.Serializer
	if strict {
		serializer = info.StrictSerializer
	}
	return legacyscheme.Codecs.DecoderToVersion(serializer, runtime.InternalGroupVersioner)
}

// decodeError is a refusal of the codec, with the path it names or "".
type decodeError struct {
	path    string
	message string
}

func (e *decodeError) Error() string { return e.message }

func decodeStrictly(text []byte) (runtime.Object, *schema.GroupVersionKind, error) {
	if len(text) == 0 || text[0] != '{' {
		return nil, nil, senselessf("object is missing")
	}
	object, gvk, err := strictDecoder.Decode(text, nil, nil)
	if err == nil {
		return object, gvk, nil
	}
	message := err.Error()
	if gvk != nil && gvk.Kind != "" {
		message = fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", gvk.Kind, gvk.Version, gvk.Kind, err)
	}
	return nil, nil, &decodeError{PathOf(err), message}
}

func decodeLeniently(text []byte) (runtime.Object, *schema.GroupVersionKind, error) {
	if len(text) == 0 || text[0] != '{' {
		return nil, nil, senselessf("old is missing")
	}
	object, gvk, err := lenientDecoder.Decode(text, nil, nil)
	if err != nil {
		return nil, nil, senselessf("old cannot be read: %v", err)
	}
	return object, gvk, nil
}

// PathOf is the path a decoding error names: of the first unknown or duplicate field, or of the first value of a wrong type.
func PathOf(err error) string {
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		var first kjson.FieldError
		if errors.As(strict.Errors()[0], &first) {
			return first.FieldPath()
		}
		return ""
	}
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) {
		return wrongType.Field
	}
	return ""
}
