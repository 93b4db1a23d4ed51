package mirror

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Normal is the text of objects, and of what was told of them, without what no two servers have in common, nor two runs of one.
func Normal(objects []map[string]any, told []string) string {
	var texts []string
	forgetGone(objects)
	for _, each := range objects {
		reduce(each)
		text, _ := json.MarshalIndent(each, "", " ")
		texts = append(texts, string(text))
	}
	names := generatedNames(objects)
	for _, each := range told {
		texts = append(texts, generated.ReplaceAllString(each, "-*"))
	}
	for i := range texts {
		texts[i] = NormalText(names.Replace(names.Replace(texts[i])))
	}
	slices.Sort(texts)
	return strings.Join(compactTold(texts), "\n") + "\n"
}

// compactTold leaves one of what was told in the same words; objects stay as they are.
func compactTold(texts []string) []string {
	return slices.CompactFunc(texts, func(a, b string) bool { return a == b && !strings.HasPrefix(a, "{") })
}

// reduce takes out what servers keep for themselves.
func reduce(object map[string]any) {
	metadata := object["metadata"].(map[string]any)
	for _, each := range []string{"managedFields", "resourceVersion", "uid"} {
		delete(metadata, each)
	}
	sortConditions(object)
	sortTaints(object)
}

// forgetGone takes the names of claims out of pods whose claims are gone, for nothing tells what these names were made from.
func forgetGone(objects []map[string]any) {
	here := map[any]bool{}
	for _, each := range objects {
		if each["kind"] == "ResourceClaim" {
			here[each["metadata"].(map[string]any)["name"]] = true
		}
	}
	for _, each := range objects {
		status, _ := each["status"].(map[string]any)
		entries, _ := status["resourceClaimStatuses"].([]any)
		for _, entry := range entries {
			if said := entry.(map[string]any); !here[said["resourceClaimName"]] {
				said["resourceClaimName"] = "(gone)"
			}
		}
		extended, _ := status["extendedResourceClaimStatus"].(map[string]any)
		if extended != nil && !here[extended["resourceClaimName"]] {
			extended["resourceClaimName"] = "(gone)"
		}
	}
}

// sortConditions puts conditions in the order of their types, for which one was written first may be chance.
func sortConditions(object map[string]any) {
	status, _ := object["status"].(map[string]any)
	conditions, _ := status["conditions"].([]any)
	slices.SortStableFunc(conditions, func(a, b any) int {
		return strings.Compare(typeOf(a), typeOf(b))
	})
}

// sortTaints puts taints in the order of their keys and effects: those of conditions and those by which pods leave are written by
// two workers at the same time, on either side.
func sortTaints(object map[string]any) {
	spec, _ := object["spec"].(map[string]any)
	taints, _ := spec["taints"].([]any)
	slices.SortStableFunc(taints, func(a, b any) int {
		left, right := a.(map[string]any), b.(map[string]any)
		return cmp.Or(compareMembers(left, right, "key"), compareMembers(left, right, "effect"))
	})
}

func compareMembers(a, b map[string]any, name string) int {
	left, _ := a[name].(string)
	right, _ := b[name].(string)
	return strings.Compare(left, right)
}

func typeOf(condition any) string {
	text, _ := condition.(map[string]any)["type"].(string)
	return text
}

// generatedNames replaces the names that servers made up by what they were made from; names of claims have those of pods in them,
// so it must be applied twice.
func generatedNames(objects []map[string]any) *strings.Replacer {
	made := map[string]string{}
	for _, each := range objects {
		metadata := each["metadata"].(map[string]any)
		if prefix, ok := metadata["generateName"].(string); ok {
			made[metadata["name"].(string)] = prefix + "*"
		}
	}
	names := slices.SortedFunc(maps.Keys(made), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var pairs []string
	for _, each := range names {
		pairs = append(pairs, each, made[each])
	}
	return strings.NewReplacer(pairs...)
}

// generated is the end of a name that a server made up, perhaps of something that is gone.
var generated = regexp.MustCompile(`-[bcdfghjklmnpqrstvwxz2456789]{5}\b`)

var varying = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "UID"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(Z|[+-]\d\d:?\d\d)`), "TIME"},
	{regexp.MustCompile(`-----BEGIN CERTIFICATE-----[^"]*`), "CERTIFICATE"},
	{regexp.MustCompile(`(seq-\d+-\d+-[a-z0-9-]*-)[bcdfghjklmnpqrstvwxz2456789]{5}\b`), "${1}*"},
	{regexp.MustCompile(`kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}\b`), "kube-api-access-*"},
}

// NormalText is a text without what differs from run to run.
func NormalText(text string) string {
	for _, each := range varying {
		text = each.pattern.ReplaceAllString(text, each.instead)
	}
	return text
}
