package controllers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"quadra/conformance/mirror"
	"quadra/conformance/ourserver"
	"quadra/conformance/realserver"
	"quadra/conformance/rights"
)

// compared are the controllers that both sides run.
var compared = []string{
	"resourceclaim-controller", "device-taint-eviction-controller", "garbage-collector-controller", "namespace-controller",
	"serviceaccount-controller", "root-ca-certificate-publisher-controller", "pod-garbage-collector-controller",
	"node-lifecycle-controller", "taint-eviction-controller", "disruption-controller", "replicaset-controller",
}

// side is a kube-apiserver and the controllers that work beside it.
type side struct {
	name   string
	folder string
	client kubernetes.Interface
	mirror *mirror.Mirror
	silent sync.Map // names of nodes whose kubelets renew their leases no longer
}

type runner func(t *testing.T, server *realserver.Server, folder string)

func startSide(t *testing.T, name string, run runner) *side {
	t.Helper()
	folder := t.TempDir()
	flags, err := rights.Flags(folder)
	if err != nil {
		t.Fatal(err)
	}
	server, err := realserver.Start(folder, append(flags, "--max-requests-inflight=0", "--max-mutating-requests-inflight=0",
		"--enable-priority-and-fairness=false")...)
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
	if s.mirror, err = mirror.New(t.Context(), s.client, mirror.Kinds...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.mirror.Stop)
	if err := s.addSpareNodes(t.Context()); err != nil {
		t.Fatal(err)
	}
	run(t, server, folder)
	s.awaitWork(t)
	return s
}

// runManager runs kube-controller-manager.
func runManager(t *testing.T, server *realserver.Server, folder string) {
	start(t, filepath.Join(folder, "manager.log"), exec.Command(realserver.Peer("kube-controller-manager"),
		"--kubeconfig="+server.Kubeconfig, "--controllers="+strings.Join(compared, ","), "--leader-elect=false", "--secure-port=0",
		"--root-ca-file="+filepath.Join(folder, "ca.crt"), "--kube-api-qps=5000", "--kube-api-burst=5000"))
}

// collectors are those of our controllers that may change whatever there is; `quadra rbac` prints their rights apart.
var collectors = []string{"garbage-collector-controller", "namespace-controller"}

// runQuadra runs our controllers until they are ready: the collectors in a process of their own, so that the others show what
// rights they need without theirs.
func runQuadra(t *testing.T, server *realserver.Server, folder string) {
	account, err := rights.Grant(server, folder, "controller")
	if err != nil {
		t.Fatal(err)
	}
	moved, err := account.Move(server, "quadra-controller-collector", "collector")
	if err != nil {
		t.Fatal(err)
	}
	others := slices.DeleteFunc(slices.Clone(compared), func(each string) bool { return slices.Contains(collectors, each) })
	runOurs(t, folder, "quadra", account, others)
	runOurs(t, folder, "collectors", moved, collectors)
}

func runOurs(t *testing.T, folder, name string, account *rights.Account, controllers []string) {
	t.Helper()
	running, err := ourserver.StartControllers(folder, name, account.Kubeconfig, "--controllers", strings.Join(controllers, ","))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		running.Stop()
		expectRights(t, folder, name, account)
		tellEnd(t, running.Log)
	})
}

// expectRights fails where they were refused something.
func expectRights(t *testing.T, folder, name string, account *rights.Account) {
	t.Helper()
	seen, err := account.Read(folder)
	if err != nil {
		t.Error(err)
		return
	}
	for _, each := range seen.Refused {
		t.Errorf("%s: refused: %s", name, each)
	}
	fmt.Printf("controllers: %s asked %d times, without need of the rights: %s\n", name, seen.Requests, strings.Join(seen.Unused, ", "))
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
		tellEnd(t, log)
	})
}

func tellEnd(t *testing.T, log string) {
	if t.Failed() && *alone >= 0 {
		text, _ := os.ReadFile(log)
		fmt.Printf("%s ends with\n%s\n", filepath.Base(log), text[max(0, len(text)-3000):])
	}
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

// addSpareNodes adds as many nodes as sequences have at a time: where more than half of all have failed, controllers think that it
// is they who are cut off, and leave pods where they are.
func (s *side) addSpareNodes(ctx context.Context) error {
	for i := range 2 * *atOnce {
		if err := newScene(s, "").addNode(ctx, fmt.Sprintf("spare-%d", i)); err != nil {
			return err
		}
	}
	return nil
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
