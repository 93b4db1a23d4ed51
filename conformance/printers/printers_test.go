// Package printers compares the tables that `kubectl get` prints with those of upstream's printers: columns, cells and conditions
// of objects and lists of every kind, drawn at random.
package printers

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	upstream "k8s.io/kubernetes/pkg/printers"
	internalversion "k8s.io/kubernetes/pkg/printers/internalversion"

	"quadra/conformance/dice"
	"quadra/conformance/peer"
)

// kinds are those that clients can list, by group and version.
var kinds = map[string]string{
	"v1": `ConfigMap Endpoints Event LimitRange Namespace Node PersistentVolume PersistentVolumeClaim Pod Pod Pod PodTemplate
		ReplicationController ResourceQuota Secret Service ServiceAccount`,
	"apps/v1":                      "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet",
	"batch/v1":                     "CronJob Job",
	"coordination.k8s.io/v1":       "Lease",
	"events.k8s.io/v1":             "Event",
	"policy/v1":                    "PodDisruptionBudget",
	"rbac.authorization.k8s.io/v1": "ClusterRole ClusterRoleBinding Role RoleBinding",
	"resource.k8s.io/v1":           "DeviceClass DeviceTaintRule ResourceClaim ResourceClaimTemplate ResourceSlice",
	"resource.k8s.io/v1beta1":      "ResourceClaim ResourceSlice",
	"resource.k8s.io/v1beta2":      "DeviceTaintRule ResourceClaim",
	"resource.k8s.io/v1alpha3":     "ResourcePoolStatusRequest",
	"scheduling.k8s.io/v1":         "PriorityClass",
	"storage.k8s.io/v1":            "CSIDriver CSINode CSIStorageCapacity StorageClass StorageClass VolumeAttachment VolumeAttributesClass",
}

var generator = upstream.NewTableGenerator().With(internalversion.AddHandlers)

func TestPrinters(t *testing.T) {
	listed := listedKinds()
	peer.Comparison{
		Name: "printers", Module: "kubernetes-v1.37.1", Default: 40_000, Recorded: 300,
		Ask:    func(random *rand.Rand, _ int) any { return ask(random, listed, dice.Pick(random, 0.1, 0.3, 0.6)) },
		Sample: func(random *rand.Rand, _ int) any { return ask(random, listed, 0.75) },
		Answer: answer,
	}.Run(t)
}

func ask(random *rand.Rand, listed []schema.GroupVersionKind, absent float64) any {
	kind := dice.Pick(random, listed...)
	return draw(artist{Dice: dice.Dice{Rand: random}, moving: hasPrinter(kind), absent: absent}, kind)
}

func listedKinds() (listed []schema.GroupVersionKind) {
	for _, version := range slices.Sorted(maps.Keys(kinds)) {
		gv, err := schema.ParseGroupVersion(version)
		must(err)
		for _, kind := range strings.Fields(kinds[version]) {
			listed = append(listed, gv.WithKind(kind))
		}
	}
	return listed
}

// draw is an object, or a list.
func draw(a artist, kind schema.GroupVersionKind) json.RawMessage {
	if a.Chance(80) {
		return a.object(kind)
	}
	items := []string{}
	for range a.IntN(4) {
		items = append(items, string(a.object(kind)))
	}
	return fmt.Appendf(nil, `{"kind":"%sList","apiVersion":%q,"metadata":{"resourceVersion":"7","continue":"next","remainingItemCount":2},"items":[%s]}`,
		kind.Kind, kind.GroupVersion(), strings.Join(items, ","))
}

func answer(question []byte) any {
	now := steadySecond()
	text := age.ReplaceAllFunc(question, func(quoted []byte) []byte {
		parts := strings.Split(strings.Trim(string(quoted), `"`), ":")
		seconds, err := strconv.Atoi(parts[1])
		must(err)
		layout := time.RFC3339
		if len(parts) > 2 {
			layout = metav1.RFC3339Micro
		}
		return fmt.Appendf(nil, "%q", now.Add(-time.Duration(seconds)*time.Second).UTC().Format(layout))
	})
	decoded, _, err := legacyscheme.Codecs.UniversalDeserializer().Decode(text, nil, nil)
	must(err)
	table, err := tableOf(decoded)
	must(err)
	table.Kind, table.APIVersion = "Table", "meta.k8s.io/v1"
	for i := range table.ColumnDefinitions {
		table.ColumnDefinitions[i].Description = ""
	}
	for i := range table.Rows {
		table.Rows[i].Object = runtime.RawExtension{}
	}
	return table
}

var age = regexp.MustCompile(`"age:-?\d+(:micro)?"`)

// steadySecond is the second that now is in, and will be for a while: upstream's printers look at the clock themselves.
func steadySecond() time.Time {
	now := time.Now()
	if left := time.Second - time.Duration(now.Nanosecond()); left < 200*time.Millisecond {
		time.Sleep(left + time.Millisecond)
		now = time.Now()
	}
	return now.Truncate(time.Second)
}

// tableOf prints as the server does: with all columns, and with name and time of creation where a kind has no printer.
func tableOf(object runtime.Object) (*metav1.Table, error) {
	internal, err := legacyscheme.Scheme.ConvertToVersion(object, runtime.InternalGroupVersioner)
	if err != nil {
		return nil, err
	}
	if table, err := generator.GenerateTable(internal, upstream.GenerateOptions{Wide: true}); err == nil {
		table.ColumnDefinitions = slices.Clone(table.ColumnDefinitions) // which all tables share
		return table, nil
	}
	return rest.NewDefaultTableConvertor(schema.GroupResource{}).ConvertToTable(context.Background(), internal, nil)
}

func hasPrinter(kind schema.GroupVersionKind) bool {
	object, err := legacyscheme.Scheme.New(kind)
	must(err)
	internal, err := legacyscheme.Scheme.ConvertToVersion(object, runtime.InternalGroupVersioner)
	must(err)
	_, err = generator.GenerateTable(internal, upstream.GenerateOptions{Wide: true})
	return err == nil && !meta.IsListType(internal)
}
