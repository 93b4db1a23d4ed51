package kubectl

import (
	"fmt"
	"os"
	"strings"
)

// mostDeviations is how many rows deviations.txt may have.
const mostDeviations = 10

// deviation is a command whose output may differ, never its exit code, and why.
type deviation struct {
	scenario, command, reason string
	met                       bool // by a command that differs
}

type deviations []*deviation

// readDeviations reads rows of scenario | command | reason.
func readDeviations(path string) (rows deviations, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for _, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, " | ")
		if len(cells) != 3 {
			return nil, fmt.Errorf("%s: a row has a scenario, a command and a reason: %s", path, line)
		}
		rows = append(rows, &deviation{scenario: cells[0], command: cells[1], reason: cells[2]})
	}
	if len(rows) > mostDeviations {
		err = fmt.Errorf("%s: %d rows; at most %d may be", path, len(rows), mostDeviations)
	}
	return rows, err
}

// covers tells whether a row speaks of the command, and remembers that it was needed.
func (d deviations) covers(title, command string) bool {
	for _, row := range d {
		if row.scenario == title && row.command == command {
			row.met = true
			return true
		}
	}
	return false
}
