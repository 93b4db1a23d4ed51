package ourserver

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Role is a running quadra controller or quadra scheduler.
type Role struct {
	Log string // path of what it tells

	process *exec.Cmd
}

// StartControllers is StartRole for controllers.
func StartControllers(folder, name, kubeconfig string, flags ...string) (*Role, error) {
	return StartRole(folder, name, "controller", kubeconfig, flags...)
}

// StartRole returns once it works beside the server that the kubeconfig names, which must be within a minute. NAME.log is written
// to the folder.
func StartRole(folder, name, verb, kubeconfig string, flags ...string) (*Role, error) {
	r := &Role{Log: filepath.Join(folder, name+".log")}
	log, err := os.Create(r.Log)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	r.process = exec.Command(Program(), append([]string{verb, "--kubeconfig", kubeconfig}, flags...)...)
	r.process.Stderr = log
	out, err := r.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := r.process.Start(); err != nil {
		return nil, fmt.Errorf("%w; run make build first", err)
	}
	late := time.AfterFunc(time.Minute, func() { r.process.Process.Kill() })
	defer late.Stop()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		r.Stop()
		text, _ := os.ReadFile(r.Log)
		return nil, fmt.Errorf("quadra %s is not ready: %q %v\n%s", verb, line, err, text)
	}
	return r, nil
}

// Stop ends it at once.
func (r *Role) Stop() {
	r.process.Process.Kill()
	r.process.Wait()
}
