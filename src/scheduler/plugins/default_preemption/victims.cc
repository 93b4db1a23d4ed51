#include "scheduler/plugins/default_preemption/victims.h"

#include <algorithm>
#include <string>
#include <utility>

namespace quadra::scheduler {
namespace {

// One node as it would be with pods gone, and the state of the pod that wants to go there.
class TrialOfNode {
 public:
  TrialOfNode(FilterRunner& filters, CycleState state, const PodInfo& pod, const NodeInfo& node)
      : filters_(filters), state_(std::move(state)), pod_(pod), node_(node) {}

  Status Remove(const PodInfo& victim) {
    node_.Remove(victim);
    return filters_.RunRemovePod(state_, pod_, victim, node_);
  }
  Status Add(const PodInfoPtr& victim) {
    node_.Add(victim);
    return filters_.RunAddPod(state_, pod_, *victim, node_);
  }
  Status Fits() { return filters_.RunFiltersWithNominatedPods(state_, pod_, node_); }

 private:
  FilterRunner& filters_;
  CycleState state_;
  const PodInfo& pod_;
  NodeInfo node_;
};

Status BrokenBy(const Status& status) { return {Code::kError, status.Message()}; }

// Puts back who may stay; the others are victims. Stops at what breaks.
Status Reprieve(TrialOfNode& trial, const Pods& pods, Pods& victims) {
  for (const PodInfoPtr& each : pods) {
    if (Status added = trial.Add(each); !added.ok()) {
      return BrokenBy(added);
    }
    if (trial.Fits().ok()) {
      continue;
    }
    if (Status removed = trial.Remove(*each); !removed.ok()) {
      return BrokenBy(removed);
    }
    victims.push_back(each);
  }
  return {};
}

Pods LowerOn(const NodeInfo& node, std::int32_t priority) {
  Pods lower;
  std::ranges::copy_if(node.pods(), std::back_inserter(lower),
                       [&](const PodInfoPtr& each) { return each->priority < priority; });
  return lower;
}

}  // namespace

Time StartOf(const api::Pod& pod) {
  return pod.status.start_time.value_or(Time(Time::duration::max()));
}

bool IsMoreImportant(const PodInfoPtr& one, const PodInfoPtr& other) {
  return one->priority != other->priority ? one->priority > other->priority
                                          : StartOf(one->pod) < StartOf(other->pod);
}

ByBudgets SplitByBudgets(const Pods& pods, const Budgets& budgets) {
  std::vector<std::int64_t> allowed;
  std::ranges::transform(budgets, std::back_inserter(allowed),
                         [](const DisruptionBudget* each) { return each->allowed; });
  const auto violates = [&](const api::Pod& pod) {
    for (std::size_t i = 0; i < budgets.size(); ++i) {
      if (budgets[i]->IsAbout(pod) && --allowed[i] < 0) {
        return true;
      }
    }
    return false;
  };
  ByBudgets split;
  for (const PodInfoPtr& each : pods) {
    (violates(each->pod) ? split.violating : split.others).push_back(each);
  }
  return split;
}

Victims SelectVictims(const Handle& handle, CycleState state, const PodInfo& pod,
                      const NodeInfo& node, const Budgets& budgets) {
  Victims found;
  Pods lower = LowerOn(node, pod.priority);
  if (lower.empty()) {
    found.status =
        Status(Code::kUnschedulableAndUnresolvable, "No preemption victims found for incoming pod");
    return found;
  }
  TrialOfNode trial(*handle.filters, std::move(state), pod, node);
  for (const PodInfoPtr& each : lower) {
    if (Status removed = trial.Remove(*each); !removed.ok()) {
      found.status = BrokenBy(removed);
      return found;
    }
  }
  found.status = trial.Fits();
  if (!found.status.ok()) {
    return found;
  }
  std::ranges::stable_sort(lower, IsMoreImportant);
  const ByBudgets split = SplitByBudgets(lower, budgets);
  found.status = Reprieve(trial, split.violating, found.pods);
  found.violations = found.pods.size();
  if (found.status.ok()) {
    found.status = Reprieve(trial, split.others, found.pods);
  }
  std::ranges::stable_sort(found.pods, IsMoreImportant);
  return found;
}

}  // namespace quadra::scheduler
