package controllers

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"quadra/conformance/rights"
)

// write is what a controller wrote to: its verb and resource.
type write struct{ verb, resource string }

// compareWrites fails where our controllers wrote more in all than upstream's. Events are for people, leases for elections:
// neither counts.
func (c *comparison) compareWrites() {
	theirs, err := countWrites(rights.Log(c.theirs.folder), "kube-controller-manager/")
	if err != nil {
		c.t.Fatal(err)
	}
	ours, err := countWrites(rights.Log(c.ours.folder), "quadra-controller")
	if err != nil {
		c.t.Fatal(err)
	}
	fmt.Printf("controllers: upstream wrote %d times, ours %d times\n", total(theirs), total(ours))
	if total(ours) > total(theirs) || c.t.Failed() {
		fmt.Print(table(theirs, ours))
	}
	if total(ours) > total(theirs) {
		c.t.Errorf("ours wrote %d times, upstream %d times", total(ours), total(theirs))
	}
}

// countWrites reads an audit log, in which clients of this name wrote.
func countWrites(path, agent string) (map[write]int, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	counts := map[write]int{}
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var line struct {
			UserAgent, Verb string
			ObjectRef       struct{ Resource, Subresource string }
		}
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			return nil, err
		}
		if strings.HasPrefix(line.UserAgent, agent) && !slices.Contains([]string{"get", "list", "watch"}, line.Verb) && !slices.Contains([]string{"events", "leases"}, line.ObjectRef.Resource) {
			counts[write{line.Verb, strings.TrimSuffix(line.ObjectRef.Resource+"/"+line.ObjectRef.Subresource, "/")}]++
		}
	}
	return counts, scanner.Err()
}

func total(counts map[write]int) (sum int) {
	for _, each := range counts {
		sum += each
	}
	return sum
}

// table is a line for each sort of write: how often upstream and we did it.
func table(theirs, ours map[write]int) string {
	all := maps.Clone(theirs)
	maps.Copy(all, ours)
	var rows []string
	for each := range all {
		rows = append(rows, fmt.Sprintf("  %-18s %-32s %6d %6d\n", each.verb, each.resource, theirs[each], ours[each]))
	}
	slices.Sort(rows)
	return strings.Join(rows, "")
}
