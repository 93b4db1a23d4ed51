package upstream

import (
	"regexp"
	"strings"
)

// draField tells the errors of Pods and pod templates that we are compared on. Everything else about a Pod is Kubernetes' own:
//   - spec.resourceClaims, the resources of containers and the claims of the pod's own resources, also below a template;
//   - the three claim lists of the status, and the health of a container's devices;
//   - the empty path, printed as [] where a rule names it: static pods may not use claims; or nothing: a stale update;
//   - spec as a whole: an update changed what may not change.
var draField = regexp.MustCompile(`^$|^\[\]$|^spec$` +
	`|(?:^|\.)spec\.resourceClaims(?:$|\[)` +
	`|(?:^|\.)spec\.resources\.claims(?:$|\[)` +
	`|(?:^|\.)spec\.\w*[cC]ontainers\[\d+\]\.resources(?:$|[.\[])` +
	`|^status\.(?:resourceClaimStatuses|extendedResourceClaimStatus|nodeAllocatableResourceClaimStatuses)(?:$|[.\[])` +
	`|^status\.\w*[cC]ontainerStatuses\[\d+\]\.allocatedResourcesStatus(?:$|\[)`)

// relevant keeps the errors we are compared on. Messages end at the first line break: what follows is a diff of Go structs.
func (k *kind) relevant(list []Problem) []Problem {
	if !k.draOnly {
		return list
	}
	kept := []Problem{}
	for _, problem := range list {
		if draField.MatchString(problem.Field) {
			problem.Message, _, _ = strings.Cut(problem.Message, "\n")
			kept = append(kept, problem)
		}
	}
	return kept
}

// relevantWarnings: none is about these fields.
func (k *kind) relevantWarnings(warnings []string) []string {
	if k.draOnly {
		return nil
	}
	return warnings
}

func (k *kind) relevantPaths(paths []string) []string {
	if !k.draOnly {
		return paths
	}
	kept := []string{}
	for _, path := range paths {
		if draField.MatchString(path) {
			kept = append(kept, path)
		}
	}
	return kept
}
