// SpreadWeights: the preferences of a pod with the pods they choose, from PreScore to Score.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "scheduler/framework/cycle_state.h"
#include "scheduler/plugins/pod_topology_spread/spread_constraint.h"

namespace quadra::scheduler {

struct SpreadWeights final : StateData {
  struct Preference {
    SpreadConstraint constraint;
    double weight = 0;  // more for topologies of more domains
    // Chosen pods by domain; none for hosts, whose pods Score counts.
    absl::flat_hash_map<std::string, std::int64_t> counts;
    bool IsOfHosts() const { return constraint.topology_key == kHostnameKey; }
  };
  std::vector<Preference> preferences;
  absl::flat_hash_set<std::string> ignored;  // nodes without all keys

  std::unique_ptr<StateData> Clone() const override {
    return std::make_unique<SpreadWeights>(*this);
  }
};

// The key of CycleState, which PreFilter does not use.
inline constexpr std::string_view kSpreadWeightsKey = "PreScorePodTopologySpread";

}  // namespace quadra::scheduler
