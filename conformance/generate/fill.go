package generate

import (
	"encoding/json"
	"fmt"
	"time"

	resourcev1 "k8s.io/api/resource/v1"
	resourcev1alpha3 "k8s.io/api/resource/v1alpha3"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	resourcev1beta2 "k8s.io/api/resource/v1beta2"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/randfill"
)

// Conversion asks for an object in another version of its kind.
type Conversion struct {
	Object any    `json:"object"`
	To     string `json:"to"`
}

const group = "resource.k8s.io/"

// convertible are the kinds that exist in several versions.
var convertible = []struct {
	kind     string
	versions map[string]func() any
}{
	{"ResourceSlice", map[string]func() any{"v1": newOf[resourcev1.ResourceSlice], "v1beta1": newOf[resourcev1beta1.ResourceSlice], "v1beta2": newOf[resourcev1beta2.ResourceSlice]}},
	{"ResourceClaim", map[string]func() any{"v1": newOf[resourcev1.ResourceClaim], "v1beta1": newOf[resourcev1beta1.ResourceClaim], "v1beta2": newOf[resourcev1beta2.ResourceClaim]}},
	{"ResourceClaimTemplate", map[string]func() any{"v1": newOf[resourcev1.ResourceClaimTemplate], "v1beta1": newOf[resourcev1beta1.ResourceClaimTemplate], "v1beta2": newOf[resourcev1beta2.ResourceClaimTemplate]}},
	{"DeviceClass", map[string]func() any{"v1": newOf[resourcev1.DeviceClass], "v1beta1": newOf[resourcev1beta1.DeviceClass], "v1beta2": newOf[resourcev1beta2.DeviceClass]}},
	{"DeviceTaintRule", map[string]func() any{"v1": newOf[resourcev1.DeviceTaintRule], "v1alpha3": newOf[resourcev1alpha3.DeviceTaintRule], "v1beta2": newOf[resourcev1beta2.DeviceTaintRule]}},
}

func newOf[T any]() any { return new(T) }

// ConversionQuestion is about an object filled at random through its Go type, or one that makes more sense.
func (s *Source) ConversionQuestion() Conversion {
	kind := Pick(s, convertible...)
	versions := []string{"v1", "v1beta1", "v1beta2"}
	if kind.kind == "DeviceTaintRule" {
		versions = []string{"v1", "v1alpha3", "v1beta2"}
	}
	from, to := Pick(s, versions...), Pick(s, versions...)
	var object any
	if s.Chance(0.6) {
		object = s.filled(kind.kind, from, kind.versions[from]())
	} else {
		s.Faults = Pick(s, 0, 0.02, 0.1)
		object = InVersion(s.sensible(kind.kind), from)
	}
	return Conversion{object, group + to}
}

func (s *Source) sensible(kind string) Object {
	switch kind {
	case "ResourceSlice":
		return s.ResourceSlice()
	case "ResourceClaim":
		claim := s.ResourceClaim()
		s.Maybe(0.5, claim, "status", func() any { return s.claimStatus(claim) })
		return claim
	case "ResourceClaimTemplate":
		return s.ResourceClaimTemplate()
	case "DeviceClass":
		return s.DeviceClass()
	}
	return s.DeviceTaintRule()
}

// filled gives every field a random value. What its type alone would fill with nonsense (times, quantities, raw JSON) is
// chosen from values that can be written.
func (s *Source) filled(kind, version string, object any) json.RawMessage {
	filler := randfill.NewWithSeed(int64(s.Uint64()>>1)).NilChance(Pick(s, 0.2, 0.5, 0.8)).NumElements(0, 3).Funcs(
		func(value *metav1.ObjectMeta, _ randfill.Continue) {
			*value = metav1.ObjectMeta{Name: Pick(s, goodDomains...), Namespace: "default", Labels: map[string]string{"a": "<b>"}}
		},
		func(value *metav1.Time, _ randfill.Continue) {
			value.Time = time.Unix(s.Int64N(1<<33), 0).UTC()
		},
		func(value *resource.Quantity, _ randfill.Continue) {
			*value = resource.MustParse(Pick(s, append(quantities, oddAmounts...)...))
		},
		func(value *runtime.RawExtension, _ randfill.Continue) {
			value.Raw = []byte(Pick(s, `{"a":1}`, `{"b" : [ 1.50, "<x>" ], "a":{}}`, `{}`, `[1,2]`, `"text"`))
		},
		func(value *string, _ randfill.Continue) {
			*value = Pick(s, "", "a", "b-1", "x.y/z", "ü <&>", "\u2028\"\\\n")
		},
		func(value *bool, _ randfill.Continue) { *value = s.bool() },
		func(value *int64, _ randfill.Continue) { *value = Pick[int64](s, 0, 1, -5, 9223372036854775807) },
	)
	filler.Fill(object)
	text, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return withType(text, group+version, kind)
}

// withType replaces apiVersion and kind, which were filled at random.
func withType(text []byte, version, kind string) json.RawMessage {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		panic(err)
	}
	fields["apiVersion"] = fmt.Appendf(nil, "%q", version)
	fields["kind"] = fmt.Appendf(nil, "%q", kind)
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return text
}
