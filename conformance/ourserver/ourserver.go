// Package ourserver runs quadra's API server on loopback, as realserver runs kube-apiserver.
//
//	server, err := ourserver.Start(t.TempDir())
//	defer server.Stop()
//
// The program is build/quadra. Everything is written to the folder given; Stop ends the process.
package ourserver

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"sigs.k8s.io/yaml"
)

// Server is a running server.
type Server struct {
	URL        string
	Kubeconfig string
	Client     *http.Client // as the administrator

	process *exec.Cmd
}

// Start returns once it serves. More flags of quadra apiserver may be given.
func Start(folder string, flags ...string) (*Server, error) {
	s := &Server{Kubeconfig: filepath.Join(folder, "kubeconfig")}
	if err := s.run(folder, flags); err != nil {
		return nil, err
	}
	if err := s.connect(); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// Program is the path of quadra.
func Program() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "build", "quadra")
}

// Stop ends it at once.
func (s *Server) Stop() {
	s.process.Process.Kill()
	s.process.Wait()
}

// run waits for the line that says where it serves.
func (s *Server) run(folder string, flags []string) error {
	log, err := os.Create(filepath.Join(folder, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	s.process = exec.Command(Program(), append([]string{"apiserver", "--data-dir", folder, "--listen", "127.0.0.1:0"}, flags...)...)
	s.process.Stderr = log
	out, err := s.process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.process.Start(); err != nil {
		return fmt.Errorf("%w; run make build first", err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "serving ")
	if !ok {
		s.Stop()
		text, _ := os.ReadFile(log.Name())
		return fmt.Errorf("quadra apiserver does not serve: %q %v\n%s", line, err, text)
	}
	s.URL = url
	return nil
}

// connect makes the client that the kubeconfig describes.
func (s *Server) connect() error {
	text, err := os.ReadFile(s.Kubeconfig)
	if err != nil {
		return err
	}
	var config struct {
		Clusters []struct {
			Cluster struct {
				Authority []byte `json:"certificate-authority-data"`
			}
		}
		Users []struct {
			User struct {
				Certificate []byte `json:"client-certificate-data"`
				Key         []byte `json:"client-key-data"`
			}
		}
	}
	if err := yaml.Unmarshal(text, &config); err != nil {
		return err
	}
	pair, err := tls.X509KeyPair(config.Users[0].User.Certificate, config.Users[0].User.Key)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(config.Clusters[0].Cluster.Authority)
	s.Client = &http.Client{Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}},
		ForceAttemptHTTP2: true,
	}}
	return nil
}
