package controllers

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"quadra/conformance/ourserver"
	"quadra/conformance/realserver"
)

// compared are the controllers that both sides run.
var compared = []string{
	"resourceclaim-controller", "device-taint-eviction-controller", "garbage-collector-controller", "namespace-controller",
	"serviceaccount-controller", "root-ca-certificate-publisher-controller", "pod-garbage-collector-controller",
	"node-lifecycle-controller", "taint-eviction-controller", "disruption-controller", "replicaset-controller",
}

// auditPolicy notes every write once, when it has been answered.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, ResponseStarted, Panic]
rules:
- level: None
  verbs: [get, list, watch]
- level: Metadata
`

// side is a kube-apiserver and the controllers that work beside it.
type side struct {
	name   string
	folder string
	client kubernetes.Interface
	silent sync.Map // names of nodes whose kubelets renew their leases no longer
}

type runner func(t *testing.T, server *realserver.Server, folder string)

func startSide(t *testing.T, name string, run runner) *side {
	t.Helper()
	folder := t.TempDir()
	policy := filepath.Join(folder, "audit.yaml")
	if err := os.WriteFile(policy, []byte(auditPolicy), 0o600); err != nil {
		t.Fatal(err)
	}
	server, err := realserver.Start(folder, "--audit-policy-file="+policy, "--audit-log-path="+auditLog(folder),
		"--max-requests-inflight=0", "--max-mutating-requests-inflight=0", "--enable-priority-and-fairness=false")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	config, err := clientcmd.BuildConfigFromFlags("", server.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	config.QPS, config.UserAgent = -1, "sequence"
	s := &side{name: name, folder: folder, client: kubernetes.NewForConfigOrDie(config)}
	run(t, server, folder)
	s.awaitWork(t)
	return s
}

func auditLog(folder string) string { return filepath.Join(folder, "audit.log") }

// runManager runs kube-controller-manager.
func runManager(t *testing.T, server *realserver.Server, folder string) {
	start(t, filepath.Join(folder, "manager.log"), exec.Command(realserver.Peer("kube-controller-manager"),
		"--kubeconfig="+server.Kubeconfig, "--controllers="+strings.Join(compared, ","), "--leader-elect=false", "--secure-port=0",
		"--root-ca-file="+filepath.Join(folder, "ca.crt"), "--kube-api-qps=5000", "--kube-api-burst=5000"))
}

// runQuadra runs our controllers until they are ready.
func runQuadra(t *testing.T, server *realserver.Server, folder string) {
	command := exec.Command(ourserver.Program(), "controller", "--kubeconfig", server.Kubeconfig, "--controllers", strings.Join(compared, ","))
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stdout = writer
	log := filepath.Join(folder, "quadra.log")
	start(t, log, command)
	writer.Close()
	if line, err := bufio.NewReader(reader).ReadString('\n'); line != "ready\n" {
		text, _ := os.ReadFile(log)
		t.Fatalf("quadra controller is not ready: %q %v\n%s", line, err, text)
	}
}

func start(t *testing.T, log string, command *exec.Cmd) {
	t.Helper()
	file, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if command.Stdout == nil {
		command.Stdout = file
	}
	command.Stderr = file
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
		if t.Failed() && *alone >= 0 {
			text, _ := os.ReadFile(log)
			fmt.Printf("%s ends with\n%s\n", filepath.Base(log), text[max(0, len(text)-3000):])
		}
	})
}

// awaitWork waits until the slowest controller to start works: what lost its owner goes, in a namespace that has its account.
func (s *side) awaitWork(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	absent := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "probe", OwnerReferences: []metav1.OwnerReference{{
		APIVersion: "v1", Kind: "ConfigMap", Name: "nobody", UID: "11111111-1111-4111-8111-111111111111"}}}}
	maps := s.client.CoreV1().ConfigMaps("default")
	if _, err := maps.Create(ctx, absent, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for ; ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		_, gone := maps.Get(ctx, "probe", metav1.GetOptions{})
		_, account := s.client.CoreV1().ServiceAccounts("default").Get(ctx, "default", metav1.GetOptions{})
		if gone != nil && account == nil {
			return
		}
	}
	t.Fatalf("%s: the controllers do not work after two minutes", s.name)
}

// renewLeases keeps every node alive that is not silent, until it is told to stop.
func (s *side) renewLeases(ctx context.Context) {
	for ticker := time.NewTicker(8 * time.Second); ; {
		select {
		case <-ctx.Done():
			ticker.Stop()
			return
		case <-ticker.C:
		}
		leases, err := s.client.CoordinationV1().Leases(corev1.NamespaceNodeLease).List(ctx, metav1.ListOptions{})
		if err != nil {
			continue
		}
		for i := range leases.Items {
			if _, silent := s.silent.Load(leases.Items[i].Name); silent {
				continue
			}
			now := metav1.NowMicro()
			leases.Items[i].Spec.RenewTime = &now
			s.client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Update(ctx, &leases.Items[i], metav1.UpdateOptions{})
		}
	}
}
