package kubectl

import (
	"fmt"
	"os"
	"strings"
)

// scenario is what a block of a text file says:
//
//	=== a title
//	<<< pod.yaml              the lines up to >>> become this file
//	kind: Pod
//	>>>
//	$ kubectl create -f pod.yaml
//
// Commands run in bash, in a folder with these files; what they must print, the real server says.
type scenario struct {
	title string
	steps []step
}

// step is a file to write, or a command.
type step struct {
	file, text string
	command    string
}

func readScenarios(path string) ([]scenario, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []scenario
	var file *step
	for number, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		switch {
		case file != nil && line == ">>>":
			all[len(all)-1].steps = append(all[len(all)-1].steps, *file)
			file = nil
		case file != nil:
			file.text += line + "\n"
		case strings.HasPrefix(line, "=== "):
			all = append(all, scenario{title: line[4:]})
		case strings.HasPrefix(line, "<<< ") && len(all) > 0:
			file = &step{file: line[4:]}
		case strings.HasPrefix(line, "$ ") && len(all) > 0:
			all[len(all)-1].steps = append(all[len(all)-1].steps, step{command: line[2:]})
		case line != "" && !strings.HasPrefix(line, "#"):
			return nil, fmt.Errorf("%s:%d: not understood: %s", path, number+1, line)
		}
	}
	return all, nil
}
