package upstream

import (
	"cmp"
	"regexp"
	"slices"
)

// mapField finds, in the path of an error, the Go map it comes from. Lists that share a name with a map (the requests of a
// claim, the capacity in a pool's status) are told apart by their parents.
var mapField = regexp.MustCompile(`^(.*?(?:metadata\.(?:labels|annotations)` +
	`|spec\.devices\[\d+\](?:\.basic)?\.(?:attributes|capacity|nodeAllocatableResources|consumesCounters\[\d+\]\.counters)` +
	`|sharedCounters\[\d+\]\.counters` +
	`|resources\.(?:requests|limits)))(?:$|[.\[])`)

// amountsField finds the resources an error about amounts belongs to: a missing limit is reported while walking the requests, so
// the errors of both maps are one group.
var amountsField = regexp.MustCompile(`^(.*\.resources)\.(?:limits|requests)(?:$|\[)`)

// sortMapNeighbours gives errors a stable order: Go walks maps at random, so neighbours from one map are sorted by field, type
// and message. All other errors stay where upstream puts them.
func sortMapNeighbours(list []Problem) []Problem {
	for start := 0; start < len(list); {
		end := start + 1
		if source := groupOf(list[start].Field); source != "" {
			for end < len(list) && groupOf(list[end].Field) == source {
				end++
			}
			slices.SortStableFunc(list[start:end], compareProblems)
		}
		start = end
	}
	return list
}

func groupOf(field string) string {
	if match := amountsField.FindStringSubmatch(field); match != nil {
		return match[1]
	}
	return mapOf(field)
}

func mapOf(field string) string {
	if match := mapField.FindStringSubmatch(field); match != nil {
		return match[1]
	}
	return ""
}

func compareProblems(a, b Problem) int {
	return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Message, b.Message))
}
