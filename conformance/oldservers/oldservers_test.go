// Package oldservers tries our commands and controllers on kube-apiservers that have less of resource.k8s.io than today's: one that
// behaves as release 1.34 did, and one that has v1beta1 alone.
package oldservers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quadra/conformance/ourserver"
	_ "quadra/conformance/peer" // for its flags, which every comparison takes
	"quadra/conformance/realserver"
)

const patience = time.Minute

// cluster is a server with our controllers beside it.
type cluster struct {
	t      *testing.T
	server *realserver.Server
}

var servers = []struct {
	name    string
	flags   []string
	version string // in which manifests are written
	request string // for one device of the class gpu
}{
	{
		name:    "emulated version 1.34",
		flags:   []string{"--emulated-version=1.34"},
		version: "v1",
		request: "{name: gpu, exactly: {deviceClassName: gpu}}",
	},
	{
		name:    "v1beta1 alone",
		flags:   []string{"--runtime-config=resource.k8s.io/v1=false,resource.k8s.io/v1beta2=false,resource.k8s.io/v1beta1=true"},
		version: "v1beta1",
		request: "{name: gpu, deviceClassName: gpu}",
	},
}

const manifests = `apiVersion: v1
kind: Node
metadata: {name: gpu-07}
---
apiVersion: resource.k8s.io/VERSION
kind: DeviceClass
metadata: {name: gpu}
---
apiVersion: resource.k8s.io/VERSION
kind: ResourceClaimTemplate
metadata: {name: gpus, namespace: default}
spec: {spec: {devices: {requests: [REQUEST]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: train, namespace: default}
spec:
  resourceClaims: [{name: gpu, resourceClaimTemplateName: gpus}]
  containers: [{name: main, image: app, resources: {claims: [{name: gpu}]}}]
`

func TestOldServers(t *testing.T) {
	for _, each := range servers {
		t.Run(each.name, func(t *testing.T) {
			at := start(t, each.flags)
			at.await("an account", "get", "serviceaccount", "default", "-o", "name")
			text := strings.NewReplacer("VERSION", each.version, "REQUEST", each.request).Replace(manifests)
			file := filepath.Join(t.TempDir(), "objects.yaml")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			at.quadra(0, "pod/train created", "apply", "-f", file)
			at.awaitClaim()
			at.quadra(0, "train-gpu-", "get", "claims")
			at.quadra(0, "gpu", "get", "classes")
			at.quadra(1, "does not get its devices: NoSlices", "explain", "pod/train")
			at.quadra(0, "deleted", "delete", "pod", "train")
			at.awaitNoClaim()
		})
	}
	fmt.Printf("oldservers: %d servers\n", len(servers))
}

func start(t *testing.T, flags []string) *cluster {
	t.Helper()
	server, err := realserver.Start(t.TempDir(), flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	controllers, err := ourserver.StartControllers(t.TempDir(), "quadra", server.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(controllers.Stop)
	return &cluster{t, server}
}

// quadra runs a command that must end so and print this.
func (at *cluster) quadra(status int, printed string, arguments ...string) {
	at.t.Helper()
	command := exec.Command(ourserver.Program(), append(arguments, "--kubeconfig", at.server.Kubeconfig)...)
	output, _ := command.CombinedOutput()
	if command.ProcessState.ExitCode() != status || !strings.Contains(string(output), printed) {
		at.t.Errorf("quadra %s: exit status %d, not %d with %q\n%s", strings.Join(arguments, " "), command.ProcessState.ExitCode(), status,
			printed, output)
	}
}

// await asks kubectl until it is content.
func (at *cluster) await(what string, arguments ...string) {
	at.t.Helper()
	at.until(what, func() bool {
		_, err := at.server.Kubectl(arguments...)
		return err == nil
	})
}

func (at *cluster) awaitClaim() {
	at.t.Helper()
	at.until("the claim of the pod", func() bool {
		name, err := at.server.Kubectl("get", "pod", "train", "-o", "jsonpath={.status.resourceClaimStatuses[0].resourceClaimName}")
		return err == nil && strings.HasPrefix(string(name), "train-gpu-")
	})
}

func (at *cluster) awaitNoClaim() {
	at.t.Helper()
	at.until("the end of the claim", func() bool {
		names, err := at.server.Kubectl("get", "resourceclaims", "-o", "name")
		return err == nil && !strings.Contains(string(names), "resourceclaim.resource.k8s.io/") // there may be warnings
	})
}

func (at *cluster) until(what string, done func() bool) {
	at.t.Helper()
	for deadline := time.Now().Add(patience); !done(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			at.t.Fatalf("%s does not come within %s", what, patience)
		}
	}
}
