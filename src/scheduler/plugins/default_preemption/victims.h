// Victims: the pods that have to go so that another one fits on a node. Decides only.
//
//   Victims found = SelectVictims(handle, state.Clone(), pod, node, budgets);
//   if (found.status.ok()) … found.pods …
//
// As upstream: all pods of lower priority are taken off the node; if the pod fits then, they are put
// back one by one as long as it still does: those first whose disruption budgets would be violated,
// and of both the most important first.
// Cost: the filters on the node once a pod of lower priority.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "scheduler/framework/cycle_state.h"
#include "scheduler/framework/disruption_budget.h"
#include "scheduler/framework/handle.h"
#include "scheduler/framework/node_info.h"

namespace quadra::scheduler {

using Budgets = std::vector<const DisruptionBudget*>;
using Pods = std::vector<PodInfoPtr>;

// Since when it runs; who has not started yet has started last.
Time StartOf(const api::Pod& pod);

// The higher priority, then who has run for longer.
bool IsMoreImportant(const PodInfoPtr& one, const PodInfoPtr& other);

// `pods` in their order, split: each that goes counts against the budgets that are about it; who
// comes when one of them allows no more violates it.
struct ByBudgets {
  Pods violating;
  Pods others;
};
ByBudgets SplitByBudgets(const Pods& pods, const Budgets& budgets);

struct Victims {
  Status status;  // success: the pod fits once they are gone
  Pods pods;      // most important first
  std::size_t violations = 0;
};

// `state` is the pod's, of its own: trials change it.
Victims SelectVictims(const Handle& handle, CycleState state, const PodInfo& pod,
                      const NodeInfo& node, const Budgets& budgets);

}  // namespace quadra::scheduler
