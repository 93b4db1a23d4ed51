package rights

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// Seen is what an account did.
type Seen struct {
	Requests int
	Refused  []string // "create leases.coordination.k8s.io", each once
	Unused   []string // rights that none of the requests needed
}

// request is a line of the audit log.
type request struct {
	Stage string
	Verb  string
	User  struct{ Username string }
	At    struct {
		Group       string `json:"apiGroup"`
		Resource    string
		Subresource string
	} `json:"objectRef"`
	Annotations map[string]string
}

func (r request) resource() string {
	return strings.TrimSuffix(r.At.Resource+"/"+r.At.Subresource, "/")
}

// asked are rights that no request shows: a server asks itself for them when it admits others.
var asked = []string{"replicasets/finalizers", "resourceclaims/binding"}

// Read looks at what was noted in the folder so far.
func (a *Account) Read(folder string) (*Seen, error) {
	file, err := os.Open(Log(folder))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	seen, done := &Seen{}, map[[3]string]bool{}
	lines := bufio.NewScanner(file)
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		var line request
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, err
		}
		if line.User.Username != a.User {
			continue
		}
		if line.Stage == "ResponseComplete" {
			seen.Requests++
		}
		done[[3]string{line.At.Group, line.resource(), line.Verb}] = true
		if line.Verb == "watch" { // servers that cannot begin a watch with all there is are asked for a list
			done[[3]string{line.At.Group, line.resource(), "list"}] = true
		}
		if line.Annotations["authorization.k8s.io/decision"] == "forbid" {
			seen.Refused = append(seen.Refused, right(line.Verb, line.resource(), line.At.Group))
		}
	}
	slices.Sort(seen.Refused)
	seen.Refused = slices.Compact(seen.Refused)
	seen.Unused = a.unused(done)
	return seen, lines.Err()
}

func (a *Account) unused(done map[[3]string]bool) (all []string) {
	for _, each := range slices.Concat(slices.Collect(maps.Values(a.rules))...) {
		for _, group := range each.Groups {
			for _, resource := range each.Resources {
				for _, verb := range each.Verbs {
					if !slices.Contains(asked, resource) && !anyOf(done, group, resource, verb) {
						all = append(all, right(verb, resource, group))
					}
				}
			}
		}
	}
	return all
}

func right(verb, resource, group string) string {
	return strings.TrimSuffix(fmt.Sprintf("%s %s.%s", verb, resource, group), ".")
}

func anyOf(done map[[3]string]bool, group, resource, verb string) bool {
	for each := range done {
		sub, anySub := strings.CutPrefix(resource, "*/")
		matches := resource == "*" || resource == each[1] || anySub && strings.HasSuffix(each[1], "/"+sub)
		if matches && verb == each[2] && (group == "*" || group == each[0]) {
			return true
		}
	}
	return false
}
