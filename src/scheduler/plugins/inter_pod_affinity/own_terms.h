// The terms of a pod that is to be placed, as existing pods are held against them.
#pragma once

#include <vector>

#include "scheduler/framework/pod_info.h"
#include "scheduler/framework/snapshot.h"

namespace quadra::scheduler {

// With the namespaces that their selectors choose, by name: what a namespace that is not there, or one
// that comes later, is labelled with does not matter then. A selector of everything stays.
std::vector<AffinityTerm> WithNamespaces(std::vector<AffinityTerm> terms, const Snapshot& snapshot);

// Of terms like these. No terms: none match.
bool MatchesAll(const std::vector<AffinityTerm>& terms, const api::Pod& other);
bool MatchesAny(const std::vector<AffinityTerm>& terms, const api::Pod& other);

}  // namespace quadra::scheduler
