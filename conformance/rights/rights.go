// Package rights gives quadra's roles accounts on a kube-apiserver with the rights that `quadra rbac` prints and no others, and
// tells from the audit log what they were refused, and which rights they never used.
//
//	server, err := realserver.Start(folder, rights.Audit(folder)...)
//	account, err := rights.Grant(server, folder, "controller")
//	… exec.Command("quadra", "controller", "--kubeconfig", account.Kubeconfig) …
//	seen, err := account.Read(folder)
//	seen.Refused, seen.Unused
package rights

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"

	"quadra/conformance/ourserver"
	"quadra/conformance/realserver"
)

const (
	namespace = "quadra-system"
	policy    = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, ResponseStarted, Panic]
rules:
- {level: Metadata, userGroups: ["system:serviceaccounts:` + namespace + `"]}
`
)

// Account is that of a role.
type Account struct {
	Kubeconfig string
	User       string
	rules      []rule
}

type rule struct {
	Groups    []string `json:"apiGroups"`
	Resources []string `json:"resources"`
	Verbs     []string `json:"verbs"`
}

// Audit are the flags with which kube-apiserver notes what the accounts do.
func Audit(folder string) ([]string, error) {
	file := filepath.Join(folder, "rights.yaml")
	return []string{"--audit-policy-file=" + file, "--audit-log-path=" + logOf(folder)}, os.WriteFile(file, []byte(policy), 0o600)
}

func logOf(folder string) string { return filepath.Join(folder, "audit.log") }

// Grant applies what `quadra rbac` prints for the role, and shows its account in a kubeconfig in the folder.
func Grant(server *realserver.Server, folder, role string) (*Account, error) {
	printed, err := exec.Command(ourserver.Program(), "rbac", "--role", role, "--namespace", namespace).Output()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, role+".yaml")
	if err := os.WriteFile(file, printed, 0o600); err != nil {
		return nil, err
	}
	if said, err := server.Kubectl("apply", "-f", file); err != nil {
		return nil, fmt.Errorf("kubectl apply: %w: %s", err, said)
	}
	account, err := Show(server, folder, "quadra-"+role)
	if err != nil {
		return nil, err
	}
	account.rules, err = rulesOf(printed)
	return account, err
}

// Show makes a kubeconfig for a service account beside those of Grant.
func Show(server *realserver.Server, folder, name string) (*Account, error) {
	token, err := server.Kubectl("create", "token", name, "-n", namespace)
	if err != nil {
		return nil, fmt.Errorf("kubectl create token: %w: %s", err, token)
	}
	admin, err := os.ReadFile(server.Kubeconfig)
	if err != nil {
		return nil, err
	}
	before, _, _ := strings.Cut(string(admin), "users:")
	text := before + fmt.Sprintf("users: [{name: admin, user: {token: %q}}]\n", bytes.TrimSpace(token))
	a := &Account{Kubeconfig: filepath.Join(filepath.Dir(server.Kubeconfig), name+".kubeconfig"), User: "system:serviceaccount:" + namespace + ":" + name}
	return a, os.WriteFile(a.Kubeconfig, []byte(text), 0o600)
}

func rulesOf(manifests []byte) (all []rule, err error) {
	for _, text := range bytes.Split(manifests, []byte("\n---\n")) {
		var object struct {
			Kind  string
			Rules []rule
		}
		if err := yaml.Unmarshal(text, &object); err != nil {
			return nil, err
		}
		if object.Kind == "ClusterRole" {
			all = append(all, object.Rules...)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("quadra rbac prints no rules:\n%s", manifests)
	}
	return all, nil
}
