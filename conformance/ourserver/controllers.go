package ourserver

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Controllers is a running quadra controller.
type Controllers struct {
	Log string // path of what it tells

	process *exec.Cmd
}

// StartControllers returns once they work beside the server that the kubeconfig names, which must be within a minute. NAME.log is
// written to the folder.
func StartControllers(folder, name, kubeconfig string, flags ...string) (*Controllers, error) {
	c := &Controllers{Log: filepath.Join(folder, name+".log")}
	log, err := os.Create(c.Log)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	c.process = exec.Command(Program(), append([]string{"controller", "--kubeconfig", kubeconfig}, flags...)...)
	c.process.Stderr = log
	out, err := c.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.process.Start(); err != nil {
		return nil, fmt.Errorf("%w; run make build first", err)
	}
	late := time.AfterFunc(time.Minute, func() { c.process.Process.Kill() })
	defer late.Stop()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		c.Stop()
		text, _ := os.ReadFile(c.Log)
		return nil, fmt.Errorf("quadra controller is not ready: %q %v\n%s", line, err, text)
	}
	return c, nil
}

// Stop ends them at once.
func (c *Controllers) Stop() {
	c.process.Process.Kill()
	c.process.Wait()
}
