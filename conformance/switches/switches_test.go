// Package switches compares how both servers refuse a --runtime-config that makes no sense: in the same words.
package switches

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "quadra/conformance/peer" // the flags of every comparison
	"quadra/conformance/realserver"
)

var refused = []string{
	"api/all=no,/v1=true",
	"api/beta",
	"api/ga=True",
	"v2=false",
	"a/b/c/d=true",
	"b.example/v1=true,a.example/v1=false",
	"api/stable=true",
	"apps/v9=true",
	"apps/v1=maybe",
	"apps/v1/Deployments=true",
	"resource.k8s.io/v2=true, api/legacy=true",
}

func TestRuntimeConfig(t *testing.T) {
	if err := realserver.BuildPeers(); err != nil {
		t.Fatal(err)
	}
	key := writeKey(t)
	quadra := filepath.Join("..", "..", "build", "quadra")
	for _, value := range refused {
		real := said(t, `err="((?:[^"\\]|\\.)*)"`, realserver.Peer("kube-apiserver"), "--runtime-config="+value, "--etcd-servers=http://127.0.0.1:1",
			"--service-cluster-ip-range=10.96.0.0/16", "--service-account-issuer=https://kubernetes.default.svc",
			"--service-account-key-file="+key, "--service-account-signing-key-file="+key, "--cert-dir="+t.TempDir())
		real, err := strconv.Unquote(`"` + real + `"`)
		if err != nil {
			t.Fatal(err)
		}
		ours := said(t, `error: --runtime-config: (.*)`, quadra, "apiserver", "--data-dir="+t.TempDir(), "--runtime-config="+value)
		if ours != real {
			t.Errorf("%s\n  ours:     %s\n  upstream: %s", value, ours, real)
		}
	}
	t.Logf("runtime-config: %d refused in upstream's words", len(refused))
}

// said runs a server that does not start, and returns what `pattern` finds in its complaint.
func said(t *testing.T, pattern, program string, arguments ...string) string {
	limited, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, _ := exec.CommandContext(limited, program, arguments...).CombinedOutput()
	found := regexp.MustCompile(pattern).FindStringSubmatch(string(out))
	if found == nil {
		t.Fatalf("%s %s says no such thing:\n%s", program, strings.Join(arguments, " "), out)
	}
	return found[1]
}

// writeKey makes the key that kube-apiserver wants before it looks at anything else.
func writeKey(t *testing.T) string {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
