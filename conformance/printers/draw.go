package printers

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"sigs.k8s.io/randfill"

	"quadra/conformance/dice"
)

// words are what the printers look for, by the names of the fields that hold it; other texts are drawn from otherWords.
var words = map[string][]string{
	"type": {"Ready", "Initialized", "PodScheduled", "Complete", "Failed", "Suspended", "FailureTarget", "SuccessCriteriaMet",
		"InternalIP", "ExternalIP", "ClusterIP", "NodePort", "LoadBalancer", "ExternalName", "Normal", "a.example.com/gate", "b"},
	"conditionType": {"a.example.com/gate", "b", "Ready"},
	"status":        {"True", "False", "Unknown", "True"},
	"phase":         {"Pending", "Running", "Succeeded", "Failed", "Unknown", "Bound", "Active", ""},
	"reason":        {"", "", "Completed", "Error", "SchedulingGated", "NodeLost", "CrashLoopBackOff", "PodInitializing", "OOMKilled", "Evicted"},
	"kind":          {"User", "Group", "ServiceAccount", "Pod", "ReplicaSet", "Role", ""},
	"apiVersion":    {"v1", "apps/v1", "resource.k8s.io/v1"},
	"restartPolicy": {"Always", "OnFailure"},
	"protocol":      {"TCP", "UDP"},
	"operator":      {"In", "NotIn", "Exists", "DoesNotExist", "In", "NotIn", "Exists", "DoesNotExist", "Is"},
	"ip":            {"10.0.0.1", "10.0.0.2", "fd00::1", ""},
	"podIP":         {"10.0.0.1", ""},
	"clusterIPs":    {"10.96.0.1", "None", "fd00::5"},
	"accessModes":   {"ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod", "Other"},
	"message":       {" words \n", "", "said <b>"},
	"note":          {" words \n", "", "said <b>"},
}

var otherWords = []string{"", "a", "a", "b", "b", "web.example.com", "ü <&>"}

// numbers are what counts hold; others are small.
var numbers = map[string][]int64{
	"exitCode": {0, 0, 1, 137}, "signal": {0, 0, 9}, "restartCount": {0, 0, 1, 7}, "nodePort": {0, 30080}, "poolCount": {0, 1, 2, 9},
}

var quantities = []string{"10Gi", "1", "500m", "1e3", "-2", "0"}

// ages in seconds, at both sides of where their spelling changes.
var ages = []int{-3600, -2, -1, 0, 1, 59, 119, 120, 125, 599, 600, 3599, 10799, 10800, 14460, 28799, 28800, 172799, 172800, 180000, 691199, 691200,
	63071999, 63072000, 63158400, 252287999, 252288000, 900000000}

// artist draws objects of any kind: filled at random through their Go types, with the words that printers look for.
type artist struct {
	dice.Dice
	moving bool    // times move with the clock: they are written as ages
	absent float64 // chance of each pointer, list and map to be absent
}

// object is of the kind as the server would store it.
func (a artist) object(kind schema.GroupVersionKind) json.RawMessage {
	drawn := a.canonical(kind, a.reworded(a.filled(kind), "", ""))
	return timesAsAges(drawn, a)
}

func (a artist) filled(kind schema.GroupVersionKind) any {
	object, err := legacyscheme.Scheme.New(kind)
	must(err)
	filler := randfill.NewWithSeed(a.Int64()).NilChance(a.absent).NumElements(0, 3).MaxDepth(12).Funcs(
		func(value *metav1.ObjectMeta, _ randfill.Continue) { *value = a.metadata() },
		func(value *metav1.Time, _ randfill.Continue) { value.Time = a.time() },
		func(value *metav1.MicroTime, _ randfill.Continue) { value.Time = a.time() },
		func(value *metav1.Duration, _ randfill.Continue) {},
		func(value *resource.Quantity, _ randfill.Continue) {
			*value = resource.MustParse(dice.Pick(a, quantities...))
		},
		func(value *intstr.IntOrString, _ randfill.Continue) {
			*value = dice.Pick(a, intstr.FromInt32(3), intstr.FromString("50%"))
		},
		func(value *runtime.RawExtension, _ randfill.Continue) { value.Raw = []byte(`{"a":1}`) },
		func(value *metav1.FieldsV1, _ randfill.Continue) { value.Raw = []byte(`{}`) },
		func(value *string, _ randfill.Continue) { *value = dice.Pick(a, "x", "y", "z") },
		func(value *int32, _ randfill.Continue) { *value = dice.Pick[int32](a, 0, 1, 2, 5) },
		func(value *int64, _ randfill.Continue) { *value = dice.Pick[int64](a, 0, 1, 2, 5) },
	)
	filler.Fill(object)
	text, err := json.Marshal(object)
	must(err)
	var tree any
	must(json.Unmarshal(text, &tree))
	return tree
}

func (a artist) time() time.Time {
	if a.Chance(10) {
		return time.Time{}
	}
	return time.Unix(1_700_000_000+a.Int64N(1_000_000), 0).UTC()
}

func (a artist) metadata() metav1.ObjectMeta {
	meta := metav1.ObjectMeta{Name: dice.Pick(a, "a", "b", "c.example.com"), ResourceVersion: "5", CreationTimestamp: metav1.NewTime(a.time())}
	if a.Chance(20) {
		now := metav1.NewTime(time.Unix(1_700_000_000, 0).UTC())
		meta.DeletionTimestamp = &now
	}
	if a.Chance(40) {
		meta.Labels = map[string]string{"node-role.kubernetes.io/" + dice.Pick(a, "", "worker", "x"): "",
			dice.Pick(a, "kubernetes.io/role", "app"): dice.Pick(a, "", "edge", "web")}
	}
	if a.Chance(40) {
		meta.Annotations = map[string]string{
			dice.Pick(a, "storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"): dice.Pick(a, "true", "false"),
			dice.Pick(a, "volume.beta.kubernetes.io/storage-class", "other"):                                                dice.Pick(a, "", "fast"),
		}
	}
	if a.Chance(40) {
		controls := a.Chance(70)
		meta.OwnerReferences = []metav1.OwnerReference{{APIVersion: dice.Pick(a, "v1", "apps/v1"), Kind: "StatefulSet", Name: "web", UID: "u", Controller: &controls}}
	}
	return meta
}

// reworded replaces the texts and numbers of a tree. `key` is the name of the field, `owner` that of the object around it.
func (a artist) reworded(value any, key, owner string) any {
	switch value := value.(type) {
	case map[string]any:
		delete(value, "stringData")                            // is never stored
		for _, name := range slices.Sorted(maps.Keys(value)) { // the dice fall in the same order each time
			if name != "metadata" || owner != "" || key != "" {
				value[name] = a.reworded(value[name], name, key)
			}
		}
	case []any:
		for i := range value {
			value[i] = a.reworded(value[i], key, owner)
		}
	case float64:
		if choice, ok := numbers[key]; ok {
			return dice.Pick(a, choice...)
		}
	case string:
		return a.word(value, key, owner)
	}
	return value
}

// word keeps what is no free text: times, quantities, percentages, bytes in base64.
func (a artist) word(text, key, owner string) string {
	if timeText.MatchString(text) || (len(text) > 0 && text != "x" && text != "y" && text != "z" && strings.ContainsAny(text[:1], "-0123456789")) {
		return text
	}
	if owner == "data" || owner == "binaryData" || key == "caBundle" || strings.HasSuffix(key, "Hash") {
		return ""
	}
	if choice, ok := words[key]; ok {
		return dice.Pick(a, choice...)
	}
	return dice.Pick(a, otherWords...)
}

// canonical is the tree as Go writes the kind.
func (a artist) canonical(kind schema.GroupVersionKind, tree any) []byte {
	text, err := json.Marshal(tree)
	must(err)
	object, err := legacyscheme.Scheme.New(kind)
	must(err)
	if err := json.Unmarshal(text, object); err != nil {
		panic(fmt.Sprintf("%v: %v: %s", kind, err, text))
	}
	object.GetObjectKind().SetGroupVersionKind(kind)
	text, err = json.Marshal(object)
	must(err)
	return text
}

var timeText = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$`)

// timesAsAges writes the times of an object as "age:SECONDS", or "age:SECONDS:micro".
func timesAsAges(text []byte, a artist) []byte {
	if !a.moving {
		return text
	}
	return quotedTime.ReplaceAllFunc(text, func(quoted []byte) []byte {
		suffix := ""
		if strings.Contains(string(quoted), ".") {
			suffix = ":micro"
		}
		return fmt.Appendf(nil, `"age:%d%s"`, dice.Pick(a, ages...), suffix)
	})
}

var quotedTime = regexp.MustCompile(`"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"`)

func must(err error) {
	if err != nil {
		panic(err)
	}
}
