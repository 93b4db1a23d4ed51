// Package upstream answers the questions of `quadra validate --stream` with Kubernetes' own code: the strict codecs of the API
// server, its defaults and conversions, and rest.BeforeCreate / rest.BeforeUpdate with the registry strategies.
//
// What the registry store does around those two calls is done here too: system fields of a new object are wiped, a missing
// name is generated (suffix xxxxx), a missing resourceVersion is filled in or refused, a stale one is a Conflict.
//
// Not safe for concurrent use: feature gates are global state.
package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/klog/v2"
	kjson "sigs.k8s.io/json"
)

func init() {
	debug.SetGCPercent(400)       // answering makes much garbage
	klog.SetLogger(klog.Logger{}) // silent: upstream logs where its hand-written and declarative rules differ
}

// Question is one line of the stream.
type Question struct {
	Operation       string            `json:"operation"`
	Object          json.RawMessage   `json:"object"`
	Old             json.RawMessage   `json:"old,omitempty"`
	FeatureGates    map[string]bool   `json:"featureGates,omitempty"`
	NamespaceLabels map[string]string `json:"namespaceLabels,omitempty"`
}

// Verdict is the answer to a question that could be decoded.
type Verdict struct {
	Errors   []Problem `json:"errors"`
	Warnings []string  `json:"warnings"`
	Dropped  []string  `json:"dropped"`
}

// Problem is one cause of the server's Status; an error without causes has the Status reason as type and no field.
type Problem struct {
	Type    string `json:"type"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Undecodable says that the object could not be read strictly.
type Undecodable struct {
	Decode  string `json:"decode"`
	Path    string `json:"path,omitempty"`
	Message string `json:"message,omitempty"`
}

// Senseless says why a question has no answer.
type Senseless struct {
	Input string `json:"input"`
}

// Answer is a Verdict, an Undecodable or a Senseless.
func Answer(line []byte) any {
	answer, err := answerTo(line)
	var senseless senselessError
	var undecodable *decodeError
	switch {
	case errors.As(err, &senseless):
		return Senseless{string(senseless)}
	case errors.As(err, &undecodable):
		return Undecodable{"error", undecodable.path, undecodable.Error()}
	case err != nil:
		panic(err)
	}
	return answer
}

// Compared is Answer without the words that may differ: messages of decoding errors contain Go type names, and a question
// that makes no sense is refused in our own words. It is spelled as json.Marshal does, which escapes <, > and &.
func Compared(line []byte) any {
	text, err := json.Marshal(withoutFreeWords(line))
	if err != nil {
		panic(err)
	}
	return json.RawMessage(text)
}

func withoutFreeWords(line []byte) any {
	switch answer := Answer(line).(type) {
	case Undecodable:
		answer.Message = ""
		return answer
	case Senseless:
		return Senseless{}
	default:
		return answer
	}
}

// senselessError ends up in {"input": …}.
type senselessError string

func (e senselessError) Error() string { return string(e) }

func senselessf(format string, args ...any) error {
	return senselessError(fmt.Sprintf(format, args...))
}

// attempt is one question on its way through upstream's code.
type attempt struct {
	operation string
	kind      *kind
	version   schema.GroupVersion
	object    runtime.Object
	old       runtime.Object
	warnings  []string
}

func answerTo(line []byte) (*Verdict, error) {
	var question Question
	if err := kjson.UnmarshalCaseSensitivePreserveInts(line, &question); err != nil {
		return nil, senselessf("unreadable line: %v", err)
	}
	a, err := newAttempt(&question)
	if err != nil {
		return nil, err
	}
	restore, err := setGates(question.FeatureGates)
	if err != nil {
		return nil, err
	}
	defer restore()
	namespace.labels = question.NamespaceLabels
	return a.verdict(), nil
}

func newAttempt(question *Question) (*attempt, error) {
	a := &attempt{operation: question.Operation}
	if a.operation != "create" && a.operation != "update" && a.operation != "status" {
		return nil, senselessf("unknown operation %q: there are create, update and status", a.operation)
	}
	object, gvk, err := decodeStrictly(question.Object)
	if err != nil {
		return nil, err
	}
	a.object, a.version, a.kind = object, gvk.GroupVersion(), kinds[gvk.GroupKind()]
	if a.kind == nil {
		return nil, senselessf("%s is not checked", gvk.Kind)
	}
	if a.operation == "status" && a.kind.status == nil {
		return nil, senselessf("%s has no status", gvk.Kind)
	}
	if a.operation == "create" {
		return a, nil
	}
	old, oldGVK, err := decodeLeniently(question.Old)
	if err != nil {
		return nil, err
	}
	if oldGVK.GroupKind() != gvk.GroupKind() {
		return nil, senselessf("old is a %s, object a %s", oldGVK.Kind, gvk.Kind)
	}
	a.old = old
	return a, nil
}

// verdict runs the request. The object is changed by it, as in the server.
func (a *attempt) verdict() *Verdict {
	a.completeMetadata()
	before := a.object.DeepCopyObject()
	err := a.run()
	verdict := &Verdict{Errors: []Problem{}, Warnings: []string{}, Dropped: a.dropped(before)}
	if err != nil {
		verdict.Errors = a.kind.relevant(sortMapNeighbours(problems(err)))
	} else {
		verdict.Warnings = append(verdict.Warnings, a.kind.relevantWarnings(a.warnings)...)
	}
	return verdict
}

func (a *attempt) run() error {
	ctx := a.context()
	switch a.operation {
	case "create":
		return rest.BeforeCreate(a.kind.create, ctx, a.object)
	case "status":
		return a.update(ctx, a.kind.status)
	default:
		return a.update(ctx, a.kind.update)
	}
}

func (a *attempt) update(ctx context.Context, strategy rest.RESTUpdateStrategy) error {
	if err := a.settleResourceVersion(ctx, strategy); err != nil {
		return err
	}
	return rest.BeforeUpdate(strategy, ctx, a.object, a.old)
}

// context is that of a request to the endpoint of the object's version and namespace, by a user who may do everything.
func (a *attempt) context() context.Context {
	accessor := metadata(a.object)
	info := &request.RequestInfo{
		IsResourceRequest: true, Verb: "update", APIPrefix: "apis",
		APIGroup: a.version.Group, APIVersion: a.version.Version,
		Resource: a.kind.resource, Namespace: accessor.GetNamespace(), Name: accessor.GetName(),
	}
	if a.operation == "create" {
		info.Verb = "create"
	}
	if a.operation == "status" {
		info.Subresource = "status"
	}
	ctx := request.WithNamespace(context.Background(), accessor.GetNamespace())
	ctx = request.WithRequestInfo(ctx, info)
	ctx = request.WithUser(ctx, &user.DefaultInfo{Name: "admin", Groups: []string{user.SystemPrivilegedGroup}})
	return warning.WithWarningRecorder(ctx, a)
}

// AddWarning implements warning.Recorder.
func (a *attempt) AddWarning(_, text string) { a.warnings = append(a.warnings, text) }

func metadata(object runtime.Object) metav1.Object {
	accessor, err := meta.Accessor(object)
	if err != nil {
		panic(err) // every kind here has metadata
	}
	return accessor
}
