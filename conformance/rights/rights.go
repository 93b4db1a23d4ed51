// Package rights gives quadra's roles accounts on a kube-apiserver with the rights that `quadra rbac` prints and no others, and
// tells from the audit log what they were refused, and which rights they never used.
//
//	server, err := realserver.Start(folder, rights.Flags(folder)...)
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
omitStages: [RequestReceived, Panic]
rules:
- {level: None, userGroups: ["system:masters"], verbs: [get, list, watch]}
- {level: Metadata, userGroups: ["system:masters", "system:serviceaccounts:` + namespace + `"]}
`
)

// Account is that of a role.
type Account struct {
	Kubeconfig string
	User       string
	rules      map[string][]rule // by role
}

type rule struct {
	Groups    []string `json:"apiGroups"`
	Resources []string `json:"resources"`
	Verbs     []string `json:"verbs"`
}

// Flags are those with which kube-apiserver checks all rights that there are, and notes what the accounts do and what
// administrators write.
func Flags(folder string) ([]string, error) {
	file := filepath.Join(folder, "rights.yaml")
	return []string{"--audit-policy-file=" + file, "--audit-log-path=" + Log(folder),
		"--enable-admission-plugins=OwnerReferencesPermissionEnforcement"}, os.WriteFile(file, []byte(policy), 0o600)
}

// Log is where it notes that.
func Log(folder string) string { return filepath.Join(folder, "audit.log") }

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
	account, err := show(server, "quadra-"+role)
	if err != nil {
		return nil, err
	}
	account.rules, err = rulesOf(printed)
	return account, err
}

// Move takes one of its roles from the account and gives it to a new one, which has the others besides.
func (a *Account) Move(server *realserver.Server, role, to string) (*Account, error) {
	subject := "--serviceaccount=" + namespace + ":" + to
	commands := [][]string{{"create", "serviceaccount", to, "-n", namespace}, {"delete", "clusterrolebinding", role}}
	for each := range a.rules {
		commands = append(commands, []string{"create", "clusterrolebinding", to + "-" + each, "--clusterrole=" + each, subject})
	}
	for _, each := range commands {
		if said, err := server.Kubectl(each...); err != nil {
			return nil, fmt.Errorf("kubectl %s: %w: %s", strings.Join(each, " "), err, said)
		}
	}
	moved, err := show(server, to)
	if err != nil {
		return nil, err
	}
	moved.rules = map[string][]rule{role: a.rules[role]}
	delete(a.rules, role)
	return moved, nil
}

// show makes a kubeconfig for a service account, beside that of the administrator.
func show(server *realserver.Server, name string) (*Account, error) {
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

func rulesOf(manifests []byte) (map[string][]rule, error) {
	roles := map[string][]rule{}
	for _, text := range bytes.Split(manifests, []byte("\n---\n")) {
		var object struct {
			Kind     string
			Metadata struct{ Name string }
			Rules    []rule
		}
		if err := yaml.Unmarshal(text, &object); err != nil {
			return nil, err
		}
		if object.Kind == "ClusterRole" {
			roles[object.Metadata.Name] = object.Rules
		}
	}
	if len(roles) == 0 {
		return nil, fmt.Errorf("quadra rbac prints no roles:\n%s", manifests)
	}
	return roles, nil
}
