package mirror

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Difference is what diff says of the two, - upstream's.
func Difference(upstream, ours string) string {
	folder, err := os.MkdirTemp("", "difference")
	if err != nil {
		return err.Error()
	}
	defer os.RemoveAll(folder)
	for name, text := range map[string]string{"upstream": upstream, "ours": ours} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return err.Error()
		}
	}
	command := exec.Command("diff", "-U8", "upstream", "ours")
	command.Dir = folder
	out, _ := command.Output() // differing is an exit code of 1
	parts := strings.SplitN(string(out), "\n", 3)
	return parts[len(parts)-1]
}
