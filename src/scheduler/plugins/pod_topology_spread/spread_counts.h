// SpreadCounts: the strict constraints of a pod with the pods they choose, from PreFilter to Filter.
#pragma once

#include <memory>
#include <vector>

#include "scheduler/framework/cycle_state.h"
#include "scheduler/plugins/pod_topology_spread/domain_counts.h"
#include "scheduler/plugins/pod_topology_spread/spread_constraint.h"

namespace quadra::scheduler {

struct SpreadCounts final : StateData {
  std::shared_ptr<const std::vector<SpreadConstraint>> constraints;
  std::vector<DomainCounts> counts;  // one a constraint

  std::unique_ptr<StateData> Clone() const override {
    return std::make_unique<SpreadCounts>(*this);
  }
};

}  // namespace quadra::scheduler
