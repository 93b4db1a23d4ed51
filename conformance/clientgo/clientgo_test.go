// Package clientgo runs the same programs of client-go on our server and on kube-apiserver: informers, recorders of events,
// pagers, leader election, the controller that publishes ResourceSlices. A program checks what must hold anywhere and notes what
// it observes, the requests of its client among it; the notes must be equal, but for what no two servers have in common (note.go).
// -only picks programs by their names.
package clientgo

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/features"
	featuretesting "k8s.io/client-go/features/testing"
	"k8s.io/klog/v2"

	"quadra/conformance/ourserver"
	_ "quadra/conformance/peer" // for its flags, which every comparison takes
	"quadra/conformance/realserver"
)

var only = flag.String("only", "", "run programs whose name contains this")

// patience is how long one program may take.
const patience = 30 * time.Second

// program is one use of client-go.
type program struct {
	name      string
	streaming bool // whether informers ask for lists as streams
	run       func(context.Context, *side) error
}

func programs() []program {
	return slices.Concat(informerPrograms(), []program{
		{"verbs, protobuf", true, verbs(asProtobuf)},
		{"verbs, JSON", true, verbs(asJSON)},
		{"dynamic verbs", true, dynamicVerbs},
		{"discovery", true, discover},
		{"retry on conflict", true, retryOnConflict},
		{"pages", true, pages},
		{"pages that expire", true, pagesThatExpire},
		{"informer that fell behind, streaming", true, fallBehind},
		{"informer that fell behind, paging", false, fallBehind},
		{"watch that fell behind", true, watchThatFellBehind},
		{"watch until", true, watchUntil},
		{"core recorder", true, recordCore},
		{"recorder of events.k8s.io", true, recordEvents},
		{"leader election", true, elect},
		{"pools of one driver", true, publishPools},
		{"pool of a node", true, publishForNode},
		{"slices of others", true, repairPools},
	})
}

func TestClientGo(t *testing.T) {
	silenceLog(t)
	real, ours := startReal(t), startOurs(t)
	asked, observed, differences := 0, 0, 0
	for i, each := range programs() {
		if !strings.Contains(each.name, *only) {
			continue
		}
		t.Run(each.name, func(t *testing.T) {
			featuretesting.SetFeatureDuringTest(t, features.WatchListClient, each.streaming)
			namespace := fmt.Sprintf("program-%d", i)
			left, right := newSide(t, real, namespace), newSide(t, ours, namespace)
			var both sync.WaitGroup
			for _, at := range []*side{left, right} {
				both.Go(func() { at.play(each) })
			}
			both.Wait()
			asked, observed = asked+1, observed+len(left.notes)
			differences += compare(t, left.notes, right.notes)
		})
	}
	fmt.Printf("clientgo: %d programs, %d observations, %d differences\n", asked, observed, differences)
}

// silenceLog keeps to itself what client-go logs of retries, which is not compared.
func silenceLog(t *testing.T) {
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	for name, value := range map[string]string{"logtostderr": "false", "stderrthreshold": "FATAL"} {
		if err := flags.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	klog.SetOutput(io.Discard)
}

// compare says how many notes differ.
func compare(t *testing.T, real, ours []string) (differences int) {
	for i := range max(len(real), len(ours)) {
		left, right := at(real, i), at(ours, i)
		if left != right {
			differences++
			t.Errorf("observation %d\nupstream: %s\nours:     %s", i+1, left, right)
		}
	}
	return differences
}

func at(notes []string, i int) string {
	if i < len(notes) {
		return notes[i]
	}
	return "(nothing)"
}

func startReal(t *testing.T) string {
	t.Helper()
	server, err := realserver.StartLate(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	return server.Kubeconfig
}

// startOurs serves a store that was restored from a copy, so that revisions of before are as gone as those that etcd compacted.
func startOurs(t *testing.T) string {
	t.Helper()
	folder, restored := t.TempDir(), t.TempDir()
	server, err := ourserver.Start(folder)
	if err != nil {
		t.Fatal(err)
	}
	server.Stop()
	backup := filepath.Join(folder, "copy.db")
	for _, arguments := range [][]string{{"backup", backup, "--data-dir", folder}, {"restore", backup, "--data-dir", restored}} {
		if out, err := exec.Command(ourserver.Program(), arguments...).CombinedOutput(); err != nil {
			t.Fatalf("quadra %v: %v\n%s", arguments, err, out)
		}
	}
	server, err = ourserver.Start(restored)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	return server.Kubeconfig
}
