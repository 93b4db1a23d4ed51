package scheduler

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"quadra/conformance/mirror"
	"quadra/conformance/ourserver"
	"quadra/conformance/realserver"
	"quadra/conformance/rights"
)

// gates are those that all who are compared have.
const gates = "DRANodeAllocatableResources=true"

// beside are the controllers that work beside either scheduler: they make claims, free them, and delete those of pods that are gone.
const beside = "resourceclaim-controller,garbage-collector-controller"

// side is a kube-apiserver, and who works beside it.
type side struct {
	name   string
	folder string
	server *realserver.Server
	client kubernetes.Interface
	mirror *mirror.Mirror
}

type runner func(t *testing.T, s *side)

func startSide(t *testing.T, name string, run runner) *side {
	t.Helper()
	s := &side{name: name, folder: t.TempDir()}
	flags, err := rights.Flags(s.folder)
	if err != nil {
		t.Fatal(err)
	}
	s.server, err = realserver.Start(s.folder, append(flags, "--max-requests-inflight=0", "--max-mutating-requests-inflight=0",
		"--enable-priority-and-fairness=false", "--feature-gates="+gates)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.server.Stop)
	config, err := clientcmd.BuildConfigFromFlags("", s.server.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	config.QPS, config.UserAgent, config.WarningHandler = -1, "world", rest.NoWarnings{}
	s.client = kubernetes.NewForConfigOrDie(config)
	if s.mirror, err = mirror.New(t.Context(), s.client, followed()...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.mirror.Stop)
	s.makePriorities(t)
	run(t, s)
	return s
}

// followed are the kinds that are compared.
func followed() (kinds []mirror.Kind) {
	for _, each := range mirror.Kinds {
		if each.Name == "Pod" || each.Name == "ResourceClaim" {
			kinds = append(kinds, each)
		}
	}
	return kinds
}

func (s *side) makePriorities(t *testing.T) {
	t.Helper()
	for _, each := range priorities {
		class := &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: each.name}, Value: each.value}
		if each.never {
			class.PreemptionPolicy = pointer(corev1.PreemptNever)
		}
		if _, err := s.client.SchedulingV1().PriorityClasses().Create(t.Context(), class, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

const schedulerConfig = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: %q, qps: 5000, burst: 5000}
leaderElection: {leaderElect: false}
`

// runUpstream runs kube-scheduler and kube-controller-manager.
func runUpstream(t *testing.T, s *side) {
	t.Helper()
	config := filepath.Join(s.folder, "scheduler.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, schedulerConfig, s.server.Kubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, each := range [][]string{
		{"kube-scheduler", "--config=" + config, "--secure-port=0", "--feature-gates=" + gates},
		{"kube-controller-manager", "--kubeconfig=" + s.server.Kubeconfig, "--controllers=" + beside, "--leader-elect=false", "--secure-port=0",
			"--kube-api-qps=5000", "--kube-api-burst=5000", "--feature-gates=" + gates},
	} {
		if err := s.server.Run(each[0], each[1:]...); err != nil {
			t.Fatal(err)
		}
	}
	tellEnds(t, filepath.Join(s.folder, "kube-scheduler.log"), filepath.Join(s.folder, "kube-controller-manager.log"))
}

// runQuadra runs ours, with no more rights than `quadra rbac` prints.
func runQuadra(t *testing.T, s *side) {
	t.Helper()
	for role, flags := range map[string][]string{
		"controller": {"--controllers", beside, "--feature-gates", gates},
		"scheduler":  {"--strict", "--preempt-devices=false", "--feature-gates", gates},
	} {
		account, err := rights.Grant(s.server, s.folder, role)
		if err != nil {
			t.Fatal(err)
		}
		running, err := ourserver.StartRole(s.folder, "quadra-"+role, role, account.Kubeconfig, flags...)
		if err != nil {
			t.Fatal(err)
		}
		tellEnds(t, running.Log)
		t.Cleanup(func() {
			running.Stop()
			expectRights(t, s.folder, role, account)
		})
	}
}

// expectRights fails where it was refused something.
func expectRights(t *testing.T, folder, role string, account *rights.Account) {
	t.Helper()
	seen, err := account.Read(folder)
	if err != nil {
		t.Error(err)
		return
	}
	for _, each := range seen.Refused {
		t.Errorf("%s: refused: %s", role, each)
	}
	fmt.Printf("scheduler: %s asked %d times, without need of the rights: %s\n", role, seen.Requests, strings.Join(seen.Unused, ", "))
}

// tellEnds prints how the logs end, where a world that is played alone differs.
func tellEnds(t *testing.T, logs ...string) {
	t.Cleanup(func() {
		if !t.Failed() || *alone < 0 {
			return
		}
		for _, log := range logs {
			text, _ := os.ReadFile(log)
			fmt.Printf("%s ends with\n%s\n", filepath.Base(log), text[max(0, len(text)-3000):])
		}
	})
}

// awaitWork waits until a pod is told that no node takes it.
func (s *side) awaitWork(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	w := &world{name: "default"}
	probe := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "probe", Namespace: w.name}}
	probe.Spec.Containers = []corev1.Container{{Name: "main", Image: "image"}}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default"}}
	if _, err := s.client.CoreV1().ServiceAccounts(w.name).Create(ctx, account, metav1.CreateOptions{}); ignoreExisting(err) != nil {
		t.Fatal(err)
	}
	if _, err := s.client.CoreV1().Pods(w.name).Create(ctx, probe, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for ; ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		if pods := s.mirror.Pods(w.name); len(pods) == 1 && isDecided(pods[0]) {
			s.client.CoreV1().Pods(w.name).Delete(ctx, probe.Name, metav1.DeleteOptions{})
			return
		}
	}
	t.Fatalf("%s: the scheduler does not work after two minutes", s.name)
}
