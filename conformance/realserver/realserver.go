// Package realserver runs etcd and kube-apiserver on loopback, so that what we answer can be compared with what they answer.
//
//	server, err := realserver.Start(t.TempDir())      // builds the peers first, if need be
//	defer server.Stop()
//	body, err := server.Get("/apis/resource.k8s.io/v1", "application/json")
//	server.Kubectl("get", "pods", "-A")               // as the administrator
//
// No controller, scheduler or kubelet runs. All APIs of resource.k8s.io are on, as ours are; the admission plug-ins are those
// that we have, the others are off. Everything is written to the folder given; Stop ends both processes.
package realserver

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// ourPlugins are the admission plug-ins that we have.
const ourPlugins = "NamespaceLifecycle,ServiceAccount,TaintNodesByCondition,Priority,DefaultTolerationSeconds"

// otherPlugins are on by default upstream.
const otherPlugins = "CertificateApproval,CertificateSigning,CertificateSubjectRestriction,ClusterTrustBundleAttest," +
	"DefaultIngressClass,DefaultStorageClass,LimitRanger,MutatingAdmissionPolicy,MutatingAdmissionWebhook,NodeDeclaredFeatureValidator," +
	"PersistentVolumeClaimResize,PodSecurity,ResourceQuota,RuntimeClass,StorageObjectInUseProtection,ValidatingAdmissionPolicy," +
	"ValidatingAdmissionWebhook"

// Server is a running pair.
type Server struct {
	URL        string
	Kubeconfig string
	Client     *http.Client  // as a member of system:masters
	Ready      time.Duration // how long it took to be, from the start of the first process

	folder    string
	late      bool
	processes []*exec.Cmd
}

// Start returns once /readyz says ok. More flags of kube-apiserver may be given.
func Start(folder string, flags ...string) (*Server, error) {
	return started(&Server{folder: folder}, flags)
}

// StartLate is Start on an etcd that has forgotten its first revisions, as one that has run for a while.
func StartLate(folder string, flags ...string) (*Server, error) {
	return started(&Server{folder: folder, late: true}, flags)
}

func started(s *Server, flags []string) (*Server, error) {
	if err := BuildPeers(); err != nil {
		return nil, err
	}
	if err := s.start(flags); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// Stop ends what Start started.
func (s *Server) Stop() {
	for i := len(s.processes) - 1; i >= 0; i-- {
		s.processes[i].Process.Kill()
		s.processes[i].Wait()
	}
	s.processes = nil
}

// Processes are the ids of etcd and kube-apiserver.
func (s *Server) Processes() (ids []int) {
	for _, each := range s.processes {
		ids = append(ids, each.Process.Pid)
	}
	return ids
}

// Get returns the body of a 200 answer.
func (s *Server) Get(path, accept string) ([]byte, error) {
	request, err := http.NewRequest("GET", s.URL+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", accept)
	response, err := s.Client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %s: %s", path, response.Status, body)
	}
	return body, err
}

// Kubectl runs it against the server and returns what it printed.
func (s *Server) Kubectl(arguments ...string) ([]byte, error) {
	command := exec.Command(Peer("kubectl"), append([]string{"--kubeconfig", s.Kubeconfig}, arguments...)...)
	command.Env = append(os.Environ(), "HOME="+s.folder)
	return command.CombinedOutput()
}

// Peer is the path of a program that tools/peers builds.
func Peer(name string) string { return filepath.Join(root(), "build-peers", name) }

func root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..")
}

// BuildPeers makes sure that the programs of Peer are there.
func BuildPeers() error {
	command := exec.Command(filepath.Join(root(), "tools", "peers"))
	command.Stderr = os.Stderr
	return command.Run()
}

func (s *Server) start(flags []string) error {
	ca, err := newAuthority()
	if err != nil {
		return err
	}
	if err := s.writeCertificates(ca); err != nil {
		return err
	}
	ports, err := freePorts(3)
	if err != nil {
		return err
	}
	begun := time.Now()
	etcd := fmt.Sprintf("http://127.0.0.1:%d", ports[0])
	peers := fmt.Sprintf("http://127.0.0.1:%d", ports[1])
	if err := s.Run("etcd", "--data-dir="+s.path("etcd"), "--listen-client-urls="+etcd, "--advertise-client-urls="+etcd,
		"--listen-peer-urls="+peers, "--initial-advertise-peer-urls="+peers, "--initial-cluster=default="+peers); err != nil {
		return err
	}
	if s.late {
		if err := forgetRevisions(etcd); err != nil {
			return err
		}
	}
	s.URL = fmt.Sprintf("https://127.0.0.1:%d", ports[2])
	if err := s.Run("kube-apiserver", append(s.apiserverFlags(etcd, ports[2]), flags...)...); err != nil {
		return err
	}
	if err := s.connect(ca); err != nil {
		return err
	}
	err = s.awaitReady()
	s.Ready = time.Since(begun)
	return err
}

func (s *Server) path(name string) string { return filepath.Join(s.folder, name) }

func (s *Server) writeCertificates(ca *authority) error {
	if err := writePEM(s.path("ca.crt"), "CERTIFICATE", ca.certificate.Raw); err != nil {
		return err
	}
	if err := ca.issue(s.path("server"), pkix.Name{CommonName: "kube-apiserver"}, x509.ExtKeyUsageServerAuth); err != nil {
		return err
	}
	admin := pkix.Name{CommonName: "admin", Organization: []string{"system:masters"}}
	return ca.issue(s.path("admin"), admin, x509.ExtKeyUsageClientAuth)
}

func (s *Server) apiserverFlags(etcd string, port int) []string {
	return []string{
		"--etcd-servers=" + etcd, "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port),
		"--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.96.0.0/16", "--authorization-mode=RBAC",
		"--client-ca-file=" + s.path("ca.crt"), "--tls-cert-file=" + s.path("server.crt"), "--tls-private-key-file=" + s.path("server.key"),
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file=" + s.path("server.key"),
		"--service-account-signing-key-file=" + s.path("server.key"),
		"--runtime-config=resource.k8s.io/v1beta1=true,resource.k8s.io/v1beta2=true,resource.k8s.io/v1alpha3=true",
		"--enable-admission-plugins=" + ourPlugins, "--disable-admission-plugins=" + otherPlugins,
	}
}

// Run starts a peer that ends with the server; NAME.log is written to the folder.
func (s *Server) Run(name string, arguments ...string) error {
	log, err := os.Create(s.path(name + ".log"))
	if err != nil {
		return err
	}
	defer log.Close()
	command := exec.Command(Peer(name), arguments...)
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		return err
	}
	s.processes = append(s.processes, command)
	return nil
}

// connect makes the client and the kubeconfig of the administrator.
func (s *Server) connect(ca *authority) error {
	pair, err := tls.LoadX509KeyPair(s.path("admin.crt"), s.path("admin.key"))
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AddCert(ca.certificate)
	s.Client = &http.Client{Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}},
		ForceAttemptHTTP2: true,
	}}
	s.Kubeconfig = s.path("kubeconfig")
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: real
contexts: [{name: real, context: {cluster: real, user: admin}}]
clusters: [{name: real, cluster: {server: %q, certificate-authority: ca.crt}}]
users: [{name: admin, user: {client-certificate: admin.crt, client-key: admin.key}}]
`, s.URL)
	return os.WriteFile(s.Kubeconfig, []byte(text), 0o600)
}

// forgetRevisions writes a few keys of nobody and has etcd compact what was before.
func forgetRevisions(etcd string) error {
	const written = 5
	for range written {
		if err := askEtcd(etcd+"/v3/kv/put", `{"key":"bm9ib2R5","value":"bm9ib2R5"}`); err != nil {
			return err
		}
	}
	return askEtcd(etcd+"/v3/kv/compaction", fmt.Sprintf(`{"revision":"%d","physical":true}`, written))
}

// askEtcd posts to its gateway, again until it listens.
func askEtcd(url, body string) error {
	var err error
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		var response *http.Response
		if response, err = http.Post(url, "application/json", strings.NewReader(body)); err != nil {
			continue
		}
		text, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode == http.StatusOK {
			return nil
		}
		err = fmt.Errorf("POST %s: %s: %s", url, response.Status, text)
	}
	return err
}

func (s *Server) awaitReady() error {
	var err error
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if _, err = s.Get("/readyz", "*/*"); err == nil {
			return nil
		}
	}
	log, _ := os.ReadFile(s.path("kube-apiserver.log"))
	return fmt.Errorf("kube-apiserver is not ready after two minutes: %w\n%s", err, log[max(0, len(log)-2000):])
}

// freePorts asks the kernel for ports that nobody listens on now.
func freePorts(count int) ([]int, error) {
	var ports []int
	for range count {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
