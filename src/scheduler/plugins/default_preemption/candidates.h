// Candidates: the nodes on which ending pods would make room for another one, and which of them it
// is. Decides only.
//
//   Candidates found = FindCandidates(handle, {.arguments = arguments}, state, pod, statuses);
//   if (!found.list.empty()) … const Pick pick = PickCandidate(found.list); …
//
// As upstream: tried are nodes whose refusal other pods can be blamed for, from a random one on,
// until there are enough of them, one among them that violates no disruption budget.
// Cost: SelectVictims on each node that is tried.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/framework/plugin.h"
#include "scheduler/plugins/default_preemption/arguments.h"
#include "scheduler/plugins/default_preemption/victims.h"

namespace quadra::scheduler {

struct PreemptionCandidate {
  std::string node;
  Pods victims;  // most important first; never empty
  std::size_t violations = 0;
};

struct Candidates {
  std::vector<PreemptionCandidate> list;  // those first that violate no budget
  NodeStatuses refused;                   // nodes that were tried in vain
  std::vector<std::string> errors;        // what broke, on any node
};

Candidates FindCandidates(const Handle& handle, const PreemptionArguments& arguments,
                          const CycleState& state, const PodInfo& pod,
                          const NodeStatuses& statuses);

struct Pick {
  std::size_t place = 0;  // in the list
  std::string_view why;   // what set it apart, for people; lives for ever
};

// In this order: the fewest violated budgets; the least important of the most important victims; the
// smallest sum of priorities; the fewest victims; the most important victims who started last; the
// first. REQUIRES: there is one.
Pick PickCandidate(std::span<const PreemptionCandidate> candidates);

}  // namespace quadra::scheduler
