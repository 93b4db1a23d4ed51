package allocate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
	resourcelisters "k8s.io/client-go/listers/resource/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

// MostSteps is how far upstream's search is followed.
const MostSteps = 20_000

// ErrTooLong says that upstream's search takes more than MostSteps.
var ErrTooLong = errors.New("upstream's search takes too long")

// Answer is one line back, without what upstream's answer does not have: reasons and work.
type Answer struct {
	Result  string  `json:"result"` // allocated, unavailable, error; ours also undecided
	Claims  []Claim `json:"claims,omitempty"`
	Message string  `json:"message,omitempty"`
	Fatal   *bool   `json:"fatal,omitempty"` // of an error that upstream has too
}

// Claim is one allocated claim.
type Claim struct {
	Namespace  string                        `json:"namespace"`
	Name       string                        `json:"name"`
	Allocation *resourceapi.AllocationResult `json:"allocation"`
}

func init() { structured.EnableAllocators("incubating", "experimental") }

// Reply answers a line as upstream does. It fails with ErrTooLong, or when upstream panics.
func Reply(line []byte) (Answer, error) {
	answer, _, err := reply(line)
	return answer, err
}

// Compared is Reply for comparisons: what upstream does not answer is no answer of quadra's either.
func Compared(line []byte) any {
	answer, err := Reply(line)
	if err != nil {
		return Answer{Result: err.Error()}
	}
	return answer
}

// reply also says what the question was about, if it is one.
func reply(line []byte) (Answer, *World, error) {
	world, err := Read(line)
	if err != nil {
		return Answer{Result: "error"}, nil, nil
	}
	results, err := world.Allocate()
	answer, err := world.answer(results, err)
	return answer, world, err
}

func (w *World) answer(results []resourceapi.AllocationResult, err error) (Answer, error) {
	var broken *panicked
	switch {
	case errors.Is(err, ErrTooLong), errors.As(err, &broken):
		return Answer{}, err
	case err != nil:
		fatal := !errors.Is(err, structured.ErrFailedAllocationOnNode)
		return Answer{Result: "error", Message: err.Error(), Fatal: &fatal}, nil
	case results == nil && len(w.Pending) > 0:
		return Answer{Result: "unavailable"}, nil
	}
	answer := Answer{Result: "allocated"}
	for i, claim := range w.Pending {
		answer.Claims = append(answer.Claims, Claim{claim.Namespace, claim.Name, &results[i]})
	}
	answer.hideShares()
	return answer, nil
}

// shareID stands for every share ID, which is random.
const shareID = types.UID("share")

func (a *Answer) hideShares() {
	for _, claim := range a.Claims {
		if claim.Allocation == nil {
			continue
		}
		for i := range claim.Allocation.Devices.Results {
			if share := &claim.Allocation.Devices.Results[i].ShareID; *share != nil {
				hidden := shareID
				*share = &hidden
			}
		}
	}
}

type panicked struct{ problem any }

func (p *panicked) Error() string { return fmt.Sprintf("upstream panics: %v", p.problem) }

// Allocate runs upstream's allocator.
func (w *World) Allocate() (results []resourceapi.AllocationResult, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = &panicked{problem}
		}
	}()
	classes := cache.NewIndexer(cache.MetaNamespaceKeyFunc, nil)
	for _, class := range w.Classes {
		if err := classes.Add(class); err != nil {
			return nil, err
		}
	}
	ctx := &counted{Context: context.Background()}
	allocator, err := structured.NewAllocator(ctx, w.Features, w.State(), listed{resourcelisters.NewDeviceClassLister(classes)},
		w.tainted(), expressions(w.Features))
	if err != nil {
		return nil, err
	}
	results, err = allocator.Allocate(ctx, w.Node, w.Pending)
	w.Steps = ctx.steps
	if ctx.steps > MostSteps {
		return nil, ErrTooLong
	}
	return results, err
}

// listed adapts the lister as upstream's scheduler does.
type listed struct {
	resourcelisters.DeviceClassLister
}

func (l listed) List() ([]*resourceapi.DeviceClass, error) { return nil, errors.New("not needed") }

// counted is done after MostSteps: upstream looks at its context once a step.
type counted struct {
	context.Context
	steps int
}

func (c *counted) Err() error {
	if c.steps++; c.steps > MostSteps {
		return context.Canceled
	}
	return nil
}

var caches = map[cel.Features]*cel.Cache{}

// expressions keeps compiled expressions: compiling one costs more than answering a question.
func expressions(features structured.Features) *cel.Cache {
	key := cel.Features{EnableConsumableCapacity: features.ConsumableCapacity, EnableListTypeAttributes: features.ListTypeAttributes}
	if caches[key] == nil {
		caches[key] = cel.NewCache(4096, key)
	}
	return caches[key]
}

// tainted are the slices with the taints of the rules, as upstream's slice tracker merges them but in the order of the question.
func (w *World) tainted() []*resourceapi.ResourceSlice {
	slices := make([]*resourceapi.ResourceSlice, len(w.Slices))
	for i, slice := range w.Slices {
		slices[i] = slice.DeepCopy()
		for _, rule := range w.Rules {
			taint(slices[i], rule)
		}
	}
	return slices
}

func taint(slice *resourceapi.ResourceSlice, rule *resourceapi.DeviceTaintRule) {
	selects := func(wanted *string, name string) bool { return wanted == nil || *wanted == name }
	selector := rule.Spec.DeviceSelector
	if selector == nil || !selects(selector.Driver, slice.Spec.Driver) || !selects(selector.Pool, slice.Spec.Pool.Name) {
		return
	}
	for i := range slice.Spec.Devices {
		if device := &slice.Spec.Devices[i]; selects(selector.Device, device.Name) {
			device.Taints = append(device.Taints, rule.Spec.Taint)
		}
	}
}

// Words of errors that need not be upstream's: those of the CEL compiler, of Go's printer, and which of several bad capacities is named.
var ownWords = []struct {
	words *regexp.Regexp
	kept  string
}{
	{regexp.MustCompile(`(?s)(CEL compile error|derived attribute \S+ failed): .*`), "$1"},
	{regexp.MustCompile(`(?s)(failed to parse node selector) .*`), "$1"},
	{regexp.MustCompile(`(?s)(failed to perform node selection for device) .*`), "$1"},
	{regexp.MustCompile(`: capacity "[^"]*": `), ": capacity: "},
	{regexp.MustCompile(`(?s)(CEL runtime error: attribute) .*`), "$1"}, // of several bad ones upstream finds any
}

// Class is what must be upstream's in an error message.
func Class(message string) string {
	for _, own := range ownWords {
		message = own.words.ReplaceAllString(message, own.kept)
	}
	return message
}

var names = regexp.MustCompile(`\S*\d\S*`)

// kind is the class without the names in it.
func kind(message string) string { return names.ReplaceAllString(Class(message), "…") }

// Reduced spells our answer as upstream's, without reasons, work and share IDs. A message of the same class is upstream's.
func Reduced(upstream, ours []byte) []byte {
	var answer, theirs Answer
	if json.Unmarshal(ours, &answer) != nil || json.Unmarshal(upstream, &theirs) != nil {
		return ours
	}
	answer.hideShares()
	if theirs.Fatal == nil || Class(answer.Message) == Class(theirs.Message) {
		answer.Message = theirs.Message
	}
	var text bytes.Buffer
	if json.NewEncoder(&text).Encode(answer) != nil {
		return ours
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}
