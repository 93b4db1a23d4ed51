// Command controllerload measures controllers by the claims they make and free: kube-controller-manager and `quadra controller`,
// each beside a kube-apiserver of its own, and `quadra up`, where server and controllers are one process. Used by bench/controllers.
//
//	controllerload [-pods 2000] [-clients 32] [-only "quadra up"]
//
// Pods that want a claim from a template are created by as many clients at once as it says, then deleted all together. All limits
// on clients are raised. A line of JSON for each.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"quadra/conformance/ourserver"
	"quadra/conformance/realserver"
)

var (
	pods    = flag.Int("pods", 2000, "how many pods are created")
	clients = flag.Int("clients", 32, "how many clients create them at once")
	only    = flag.String("only", "", "measure the one of this name alone")
)

// patience is how long one of the steps may take.
const patience = 10 * time.Minute

// Measured is what one pair of server and controllers took.
type Measured struct {
	Name     string  `json:"name"`
	Made     float64 `json:"made_per_s"`  // claims, from the first pod that is created
	Freed    float64 `json:"freed_per_s"` // claims, from the deletion of the pods
	CPU      float64 `json:"cpu_us"`      // of the controllers, a claim made and freed
	Included bool    `json:"with_server"` // whether that is the server's too
}

// running is a server with controllers beside it.
type running struct {
	kubeconfig string
	process    int // of the controllers
	stop       func()
}

func main() {
	flag.Parse()
	for _, each := range []struct {
		name   string
		start  func(folder string) (*running, error)
		inside bool
	}{
		{"kube-controller-manager on kube-apiserver", startManager, false},
		{"quadra controller on kube-apiserver", startOurs, false},
		{"quadra up", startUp, true},
	} {
		if *only != "" && *only != each.name {
			continue
		}
		measured, err := measure(each.start)
		if err != nil {
			fmt.Fprintf(os.Stderr, "controllerload: %s: %v\n", each.name, err)
			os.Exit(1)
		}
		measured.Name, measured.Included = each.name, each.inside
		line, _ := json.Marshal(measured)
		fmt.Println(string(line))
	}
}

func measure(start func(string) (*running, error)) (*Measured, error) {
	folder, err := os.MkdirTemp("", "controllerload-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	at, err := start(folder)
	if err != nil {
		return nil, err
	}
	defer at.stop()
	client, err := at.client()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return at.play(ctx, client)
}

func (at *running) client() (kubernetes.Interface, error) {
	config, err := clientcmd.BuildConfigFromFlags("", at.kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	config.ContentType = "application/vnd.kubernetes.protobuf"
	return kubernetes.NewForConfig(config)
}

func (at *running) play(ctx context.Context, client kubernetes.Interface) (*Measured, error) {
	if err := until(ctx, func() (bool, error) {
		_, err := client.CoreV1().ServiceAccounts("default").Get(ctx, "default", metav1.GetOptions{})
		return err == nil, nil
	}); err != nil {
		return nil, fmt.Errorf("there is no account: %w", err)
	}
	if _, err := client.ResourceV1().ResourceClaimTemplates("default").Create(ctx, template(), metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	cpu, begun := cpuOf(at.process), time.Now()
	if err := createPods(ctx, client); err != nil {
		return nil, err
	}
	if err := awaitClaims(ctx, client, *pods); err != nil {
		return nil, err
	}
	made := time.Since(begun)
	begun = time.Now()
	now := int64(0)
	if err := client.CoreV1().Pods("default").DeleteCollection(ctx, metav1.DeleteOptions{GracePeriodSeconds: &now}, metav1.ListOptions{}); err != nil {
		return nil, err
	}
	if err := awaitClaims(ctx, client, 0); err != nil {
		return nil, err
	}
	freed, count := time.Since(begun), float64(*pods)
	return &Measured{Made: count / made.Seconds(), Freed: count / freed.Seconds(), CPU: (cpuOf(at.process) - cpu) / count * 1e6}, nil
}

func template() *resourcev1.ResourceClaimTemplate {
	return &resourcev1.ResourceClaimTemplate{ObjectMeta: metav1.ObjectMeta{Name: "gpus"},
		Spec: resourcev1.ResourceClaimTemplateSpec{Spec: resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{
			Requests: []resourcev1.DeviceRequest{{Name: "gpu", Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "gpu"}}}}}}}
}

func createPods(ctx context.Context, client kubernetes.Interface) error {
	numbers, failed := make(chan int), make(chan error, *clients)
	var working sync.WaitGroup
	for range *clients {
		working.Go(func() {
			for number := range numbers {
				if _, err := client.CoreV1().Pods("default").Create(ctx, pod(number), metav1.CreateOptions{}); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	defer working.Wait()
	defer close(numbers)
	for number := range *pods {
		select {
		case numbers <- number:
		case err := <-failed:
			return err
		}
	}
	return nil
}

func pod(number int) *corev1.Pod {
	template := "gpus"
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("pod-%05d", number)}, Spec: corev1.PodSpec{
		ResourceClaims: []corev1.PodResourceClaim{{Name: "gpu", ResourceClaimTemplateName: &template}},
		Containers: []corev1.Container{{Name: "main", Image: "app",
			Resources: corev1.ResourceRequirements{Claims: []corev1.ResourceClaim{{Name: "gpu"}}}}}}}
}

// awaitClaims waits until there are so many.
func awaitClaims(ctx context.Context, client kubernetes.Interface, wanted int) error {
	return until(ctx, func() (bool, error) {
		list, err := client.ResourceV1().ResourceClaims("default").List(ctx, metav1.ListOptions{Limit: 1, ResourceVersion: ""})
		if err != nil {
			return false, err
		}
		count := len(list.Items)
		if list.RemainingItemCount != nil {
			count += int(*list.RemainingItemCount)
		}
		return count == wanted, nil
	})
}

func until(ctx context.Context, done func() (bool, error)) error {
	for {
		if is, err := done(); is || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// cpuOf is what a process and its threads have used so far, in seconds.
func cpuOf(process int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100
}

func startReal(folder string, controllers func(server *realserver.Server) *exec.Cmd) (*running, error) {
	server, err := realserver.Start(folder, "--max-requests-inflight=0", "--max-mutating-requests-inflight=0", "--enable-priority-and-fairness=false")
	if err != nil {
		return nil, err
	}
	command := controllers(server)
	if err := command.Start(); err != nil {
		server.Stop()
		return nil, err
	}
	return &running{server.Kubeconfig, command.Process.Pid, func() { command.Process.Kill(); command.Wait(); server.Stop() }}, nil
}

func startManager(folder string) (*running, error) {
	return startReal(folder, func(server *realserver.Server) *exec.Cmd {
		return exec.Command(realserver.Peer("kube-controller-manager"), "--kubeconfig="+server.Kubeconfig, "--leader-elect=false",
			"--controllers=resourceclaim-controller,garbage-collector-controller,serviceaccount-controller", "--secure-port=0",
			"--kube-api-qps=5000", "--kube-api-burst=5000")
	})
}

func startOurs(folder string) (*running, error) {
	return startReal(folder, func(server *realserver.Server) *exec.Cmd {
		return exec.Command(ourserver.Program(), "controller", "--kubeconfig", server.Kubeconfig,
			"--controllers=resourceclaim-controller,garbage-collector-controller,serviceaccount-controller")
	})
}

func startUp(folder string) (*running, error) {
	command := exec.Command(ourserver.Program(), "up", "--data-dir", folder, "--listen", "127.0.0.1:0")
	if err := command.Start(); err != nil {
		return nil, err
	}
	kubeconfig := filepath.Join(folder, "kubeconfig")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err := until(ctx, func() (bool, error) {
		_, err := os.Stat(kubeconfig)
		return err == nil, nil
	})
	return &running{kubeconfig, command.Process.Pid, func() { command.Process.Kill(); command.Wait() }}, err
}
