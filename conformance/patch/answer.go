package patch

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"
	kjson "sigs.k8s.io/json"
)

func init() { jsonpatch.AccumulatedCopySizeLimit = 3 << 20 } // the server's default

// question is a patch and the object it is for.
type question struct {
	Type   string          `json:"type"` // json, merge, strategic
	Strict bool            `json:"strict"`
	Object json.RawMessage `json:"object"`
	Patch  string          `json:"patch"`
}

// answer is what the patched object looks like, or the refusal.
type answer struct {
	Object  json.RawMessage `json:"object,omitempty"`
	Remarks []string        `json:"remarks,omitempty"`
	Misfit  string          `json:"misfit,omitempty"` // what the server's converter cannot take of a merged tree
	Code    int32           `json:"code,omitempty"`
	Message string          `json:"message,omitempty"`
	Why     string          `json:"why,omitempty"`
	// Upstream panicked.
	Panicked bool `json:"panicked,omitempty"`
}

func reply(line []byte) any {
	var q question
	if err := json.Unmarshal(line, &q); err != nil {
		panic(err)
	}
	return q.answer()
}

// answer does what the server's handler does between reading the body and decoding the patched object.
func (q question) answer() (a answer) {
	defer func() {
		if recover() != nil {
			a = answer{Panicked: true}
		}
	}()
	if !json.Valid([]byte(q.Patch)) {
		return refused(apierrors.NewBadRequest("invalid JSON patch"), nil)
	}
	switch q.Type {
	case "json":
		return q.jsonPatch()
	case "merge":
		return q.mergePatch()
	}
	return q.strategicMergePatch()
}

type jsonPatchOp struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	From  string `json:"from"`
	Value any    `json:"value"`
}

func (q question) jsonPatch() answer {
	var remarks []string
	if q.Strict {
		var operations []jsonPatchOp
		found, err := kjson.UnmarshalStrict([]byte(q.Patch), &operations)
		if err != nil {
			return refused(apierrors.NewBadRequest(inHandlers(fmt.Sprintf("error decoding patch: %v", err))), nil)
		}
		for _, remark := range found {
			remarks = append(remarks, fmt.Sprintf("json patch %v", remark))
		}
	}
	operations, err := jsonpatch.DecodePatch([]byte(q.Patch))
	if err != nil {
		return refused(apierrors.NewBadRequest(err.Error()), nil)
	}
	if len(operations) > 10000 {
		return refused(apierrors.NewRequestEntityTooLargeError(
			fmt.Sprintf("The allowed maximum operations in a JSON patch is %d, got %d", 10000, len(operations))), nil)
	}
	patched, err := operations.Apply(q.Object)
	if err != nil {
		return refused(unprocessable(err), err)
	}
	return answer{Object: patched, Remarks: remarks}
}

func (q question) mergePatch() answer {
	var remarks []string
	if q.Strict {
		found, err := kjson.UnmarshalStrict([]byte(q.Patch), &map[string]any{})
		if err != nil {
			return refused(apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err)), nil)
		}
		remarks = texts(found)
	}
	patched, err := jsonpatch.MergePatch(q.Object, []byte(q.Patch))
	if errors.Is(err, jsonpatch.ErrBadJSONPatch) {
		return refused(apierrors.NewBadRequest(err.Error()), nil)
	}
	if err != nil {
		return refused(err, nil)
	}
	return answer{Object: patched, Remarks: remarks}
}

func (q question) strategicMergePatch() answer {
	typed, _, err := scheme.Codecs.UniversalDeserializer().Decode(q.Object, nil, nil)
	if err != nil {
		panic(err)
	}
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	if err != nil {
		panic(err)
	}
	patch := map[string]any{}
	found, err := kjson.UnmarshalStrict([]byte(q.Patch), &patch)
	if err != nil {
		return refused(apierrors.NewBadRequest(err.Error()), nil)
	}
	if !q.Strict {
		found = nil
	}
	// Slices are given no more room than they need, so that what upstream appends does not depend on how the object was decoded.
	patched, err := strategicpatch.StrategicMergeMapPatch(runtime.DeepCopyJSON(object), patch, typed)
	if err != nil {
		return refused(interpreted(err), err)
	}
	text, err := json.Marshal(patched)
	if err != nil {
		panic(err)
	}
	return answer{Object: text, Remarks: texts(found), Misfit: misfit(patched, typed)}
}

var (
	converters = regexp.MustCompile(`^(cannot convert|unrecognized type|cannot restore)`)
	namedText  = regexp.MustCompile(`^cannot convert int64 to [a-z0-9]+\.\w+$`)
)

// misfit is what the converter says of the first value that it cannot take. What parsers of single types say is elsewhere, and
// of types that are texts the tables do not know the names.
func misfit(patched map[string]any, typed runtime.Object) string {
	fresh := reflect.New(reflect.TypeOf(typed).Elem()).Interface()
	err := runtime.DefaultUnstructuredConverter.FromUnstructured(patched, fresh)
	if err == nil {
		return ""
	}
	if !converters.MatchString(err.Error()) {
		return unparsed
	}
	return namedText.ReplaceAllString(err.Error(), "cannot convert int64 to string")
}

// unparsed stands for what a parser of a single type says.
const unparsed = "unparsed"

// withoutUnparsed leaves out of our answer what follows a value that a parser of a single type refuses.
func withoutUnparsed(upstream, ours []byte) []byte {
	var theirs, own answer
	if json.Unmarshal(upstream, &theirs) != nil || json.Unmarshal(ours, &own) != nil || theirs.Misfit != unparsed {
		return ours
	}
	own.Misfit = unparsed
	return marshal(own)
}

// interpreted gives errors of strategic merge patches their HTTP code, as the handler does.
func interpreted(err error) error {
	switch err {
	case mergepatch.ErrBadJSONDoc, mergepatch.ErrBadPatchFormatForPrimitiveList, mergepatch.ErrBadPatchFormatForRetainKeys,
		mergepatch.ErrBadPatchFormatForSetElementOrderList, mergepatch.ErrUnsupportedStrategicMergePatchFormat:
		return apierrors.NewBadRequest(err.Error())
	case mergepatch.ErrNoListOfLists, mergepatch.ErrPatchContentNotMatchRetainKeys:
		return unprocessable(err)
	}
	return err
}

func unprocessable(err error) error {
	return apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", schema.GroupResource{}, "", err.Error(), 0, false)
}

// refused is the Status of an error, with what the client is not told.
func refused(err, why error) answer {
	a := answer{Code: http.StatusInternalServerError, Message: err.Error()}
	if status, ok := err.(apierrors.APIStatus); ok {
		a.Code, a.Message = status.Status().Code, status.Status().Message
	}
	if why != nil && why.Error() != a.Message {
		a.Why = why.Error()
	}
	return a
}

func texts(errs []error) (out []string) {
	for _, err := range errs {
		out = append(out, err.Error())
	}
	return out
}

// inHandlers names the type of operations as in the server, where it stands in another package.
func inHandlers(message string) string {
	return strings.ReplaceAll(message, "patch.jsonPatchOp", "handlers.jsonPatchOp")
}
