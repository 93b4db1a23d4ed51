package kubectl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"quadra/conformance/realserver"
)

// patience is how long one command may take.
const patience = time.Minute

// side is one of the two servers, as commands see it: a kubectl in the PATH that speaks to it, and a folder for files.
type side struct {
	kubeconfig, folder string
}

// outcome is what a command did, normalized.
type outcome struct {
	code     int
	out, err string
}

func (o outcome) String() string {
	return fmt.Sprintf("exit %d\n--- standard output\n%s--- standard error\n%s", o.code, o.out, o.err)
}

// enter makes a fresh namespace with the service account that a controller would make, and lets kubectl work in it.
func (s side) enter(namespace string) error {
	script := fmt.Sprintf("#!/bin/sh\nexec %s --kubeconfig %s --namespace %s \"$@\"\n", realserver.Peer("kubectl"), s.kubeconfig, namespace)
	if err := os.MkdirAll(s.work(), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.folder, "kubectl"), []byte(script), 0o755); err != nil {
		return err
	}
	did := s.run("kubectl create namespace " + namespace + " && kubectl create serviceaccount default")
	if did.code != 0 {
		return fmt.Errorf("no namespace %s: %v", namespace, did)
	}
	return nil
}

func (s side) work() string { return filepath.Join(s.folder, "work") }

func (s side) write(name, text string) error {
	return os.WriteFile(filepath.Join(s.work(), name), []byte(text), 0o644)
}

func (s side) run(line string) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	command := exec.CommandContext(ctx, "bash", "-c", line)
	command.Dir = s.work()
	command.Env = append(os.Environ(), "HOME="+s.folder, "PATH="+s.folder+":"+os.Getenv("PATH"), "TZ=UTC")
	command.WaitDelay = time.Second
	var out, failed bytes.Buffer
	command.Stdout, command.Stderr = &out, &failed
	code := 0
	if err := command.Run(); err != nil {
		code = -1
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			code = exit.ExitCode()
		}
	}
	return outcome{code: code, out: normalize(out.String()), err: normalize(failed.String())}
}
