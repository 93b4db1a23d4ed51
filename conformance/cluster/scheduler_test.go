package cluster

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	resourcev1 "k8s.io/api/resource/v1"

	"quadra/conformance/ourserver"
	"quadra/conformance/realserver"
	"quadra/conformance/rights"
)

// world has two nodes with two devices each, of two models.
const world = `apiVersion: v1
kind: Node
metadata: {name: node-a}
---
apiVersion: v1
kind: Node
metadata: {name: node-b}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: slice-a}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: large-0, attributes: {model: {string: large}}}
  - {name: large-1, attributes: {model: {string: large}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: slice-b}
spec:
  driver: gpu.example.com
  nodeName: node-b
  pool: {name: node-b, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: small-0, attributes: {model: {string: small}}}
  - {name: small-1, attributes: {model: {string: small}}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: large}
spec: {selectors: [{cel: {expression: 'device.driver == "gpu.example.com" && device.attributes["gpu.example.com"].model == "large"'}}]}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: small}
spec: {selectors: [{cel: {expression: 'device.driver == "gpu.example.com" && device.attributes["gpu.example.com"].model == "small"'}}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: large, namespace: default}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: large}}]}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: pair, namespace: default}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: small, count: 2}}]}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: either, namespace: default}
spec:
  spec:
    devices:
      requests:
      - name: gpu
        firstAvailable:
        - {name: many, deviceClassName: large, count: 3}
        - {name: one, deviceClassName: small}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: shared, namespace: default}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: large}}]}}
`

const node = `{"status":{"capacity":{"cpu":"8","memory":"8Gi","pods":"110"},"allocatable":{"cpu":"8","memory":"8Gi","pods":"110"},` +
	`"conditions":[{"type":"Ready","status":"True","reason":"KubeletReady"}]}}`

// TestScheduler has kube-scheduler give devices to claims that our controller made, and our controller take them back.
func TestScheduler(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.startControllers("--node-monitor-grace-period=3600") // no kubelet gives signs of life
	p.startScheduler()
	p.await("an account", func() bool {
		return p.kubectl("get", "serviceaccounts", "default", "--ignore-not-found", "-o", "name") != ""
	})
	p.apply(world)
	for _, name := range []string{"node-a", "node-b"} {
		p.kubectl("patch", "node", name, "--subresource=status", "-p", node)
	}

	// One device each of node-a goes to `single` and to the claim of `first` and `second`; one of node-b to `choosy`, since no
	// node has three large ones, so that `waits` finds only one of two.
	p.apply(pod("single", "resourceClaimTemplateName: large"), pod("first", "resourceClaimName: shared"),
		pod("second", "resourceClaimName: shared"), pod("choosy", "resourceClaimTemplateName: either"))
	p.expectDevices("single", "node-a", "single", "gpu")
	p.expectDevices("first", "node-a", "first second", "gpu")
	p.expectDevices("second", "node-a", "first second", "gpu")
	p.expectDevices("choosy", "node-b", "choosy", "gpu/one")
	p.apply(pod("waits", "resourceClaimTemplateName: pair"))
	p.await("the refusal of waits", func() bool {
		return strings.Contains(p.kubectl("get", "pod", "waits", "-o", "jsonpath={.status.conditions[*].reason}"), "Unschedulable")
	})
	p.lookAsViewer()

	// Who goes makes room.
	p.remove("choosy")
	p.expectDevices("waits", "node-b", "waits", "gpu gpu")
	p.remove("first")
	p.expectDevices("second", "node-a", "second", "gpu")
	p.remove("second", "single", "waits")
	p.await("an end of all claims but the shared one, which is free", func() bool {
		left := p.claims()
		return len(left) == 1 && left[0].Name == "shared" && left[0].Status.Allocation == nil && len(left[0].Status.ReservedFor) == 0 &&
			len(left[0].Finalizers) == 0
	})
	p.expectRights("controller", p.account)
	fmt.Println("cluster: kube-scheduler bound 5 pods with devices")
}

func pod(name, claim string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Pod
metadata: {name: %s, namespace: default}
spec:
  resourceClaims: [{name: gpu, %s}]
  containers: [{name: main, image: app, resources: {claims: [{name: gpu}]}}]
`, name, claim)
}

func (p *place) startScheduler(flags ...string) {
	p.Helper()
	log, err := os.Create(filepath.Join(p.folder, "scheduler.log"))
	if err != nil {
		p.Fatal(err)
	}
	defer log.Close()
	command := exec.Command(realserver.Peer("kube-scheduler"),
		append(flags, "--kubeconfig="+p.server.Kubeconfig, "--leader-elect=false", "--secure-port=0")...)
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
		if text, _ := os.ReadFile(log.Name()); p.Failed() {
			p.Logf("kube-scheduler said:\n%s", text[max(0, len(text)-3000):])
		}
	})
}

// lookAsViewer asks the same as the administrator and as a viewer while `waits` waits: both must be told the same.
func (p *place) lookAsViewer() {
	p.Helper()
	viewer, err := rights.Grant(p.server, p.folder, "viewer")
	if err != nil {
		p.Fatal(err)
	}
	for _, each := range []struct {
		asked string
		told  string
	}{
		{"get pools", "node-a"}, {"get devices", "small-1"}, {"get claims -A", "shared"}, {"get pods", "choosy"}, {"get nodes", "node-b"},
		{"get templates", "either"}, {"get classes", "large"}, {"get slices", "slice-a"},
		{"explain pod/waits", "DevicesBusy"}, {"explain claim/shared", "large"}, {"dump", "ResourceSlice"}, {"fit pod/waits", "node-b"},
	} {
		got, want := p.quadra(viewer.Kubeconfig, each.asked), p.quadra(p.server.Kubeconfig, each.asked)
		if got != want { // an age may have changed in between
			got = p.quadra(viewer.Kubeconfig, each.asked)
		}
		if got != want || !strings.Contains(got, each.told) {
			p.Errorf("quadra %s with the rights of a viewer:\n%s\nof an administrator:\n%s", each.asked, got, want)
		}
	}
	p.expectRights("viewer", viewer)
}

func (p *place) quadra(kubeconfig, arguments string) string {
	said, _ := exec.Command(ourserver.Program(), append(strings.Fields(arguments), "--kubeconfig", kubeconfig)...).CombinedOutput()
	return strings.ReplaceAll(string(said), kubeconfig, "KUBECONFIG")
}

// expectDevices waits until the pod is bound to the node, and its claim allocated for these requests and reserved for these pods.
func (p *place) expectDevices(name, node, consumers, requests string) {
	p.Helper()
	var last string
	p.await(name+" on "+node, func() bool {
		var it struct {
			Metadata struct{ UID string }
			Spec     struct{ NodeName string }
			Status   struct {
				ResourceClaimStatuses []struct{ ResourceClaimName string }
			}
		}
		if err := json.Unmarshal([]byte(p.kubectl("get", "pod", name, "-o", "json")), &it); err != nil {
			return false
		}
		claim := "shared"
		if len(it.Status.ResourceClaimStatuses) > 0 {
			claim = it.Status.ResourceClaimStatuses[0].ResourceClaimName
		}
		last = fmt.Sprintf("%+v %+v", it, p.claims())
		return it.Spec.NodeName == node && slices.ContainsFunc(p.claims(), func(each resourcev1.ResourceClaim) bool {
			return each.Name == claim && reservedFor(each) == consumers && requestsOf(each) == requests && devicesOf(each, node)
		})
	}, &last)
}

func reservedFor(claim resourcev1.ResourceClaim) string {
	var names []string
	for _, each := range claim.Status.ReservedFor {
		names = append(names, each.Name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func requestsOf(claim resourcev1.ResourceClaim) string {
	var names []string
	if claim.Status.Allocation != nil {
		for _, each := range claim.Status.Allocation.Devices.Results {
			names = append(names, each.Request)
		}
	}
	return strings.Join(names, " ")
}

// devicesOf tells whether all devices of the claim are of the node.
func devicesOf(claim resourcev1.ResourceClaim, node string) bool {
	for _, each := range claim.Status.Allocation.Devices.Results {
		if each.Pool != node {
			return false
		}
	}
	return true
}

func (p *place) claims() []resourcev1.ResourceClaim {
	p.Helper()
	var list resourcev1.ResourceClaimList
	if err := json.Unmarshal([]byte(p.kubectl("get", "resourceclaims", "-A", "-o", "json")), &list); err != nil {
		p.Fatal(err)
	}
	return list.Items
}

func (p *place) remove(pods ...string) {
	p.Helper()
	p.kubectl(append([]string{"delete", "pod", "--grace-period=0", "--force"}, pods...)...)
}

func (p *place) apply(manifests ...string) {
	p.Helper()
	file := filepath.Join(p.TempDir(), "objects.yaml")
	if err := os.WriteFile(file, []byte(strings.Join(manifests, "---\n")), 0o600); err != nil {
		p.Fatal(err)
	}
	p.kubectl("apply", "-f", file)
}

// kubectl must not fail.
func (p *place) kubectl(arguments ...string) string {
	p.Helper()
	said, err := p.server.Kubectl(arguments...)
	if err != nil {
		p.Fatalf("kubectl %s: %v\n%s", strings.Join(arguments, " "), err, said)
	}
	return string(said)
}

// await says what it saw last where that does not come.
func (p *place) await(what string, done func() bool, last ...*string) {
	p.Helper()
	for deadline := time.Now().Add(patience); !done(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(deadline) {
			for _, each := range last {
				p.Log(*each)
			}
			p.Fatalf("%s does not come within %s", what, patience)
		}
	}
}
