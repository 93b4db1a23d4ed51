// Preferences: what preferred terms, of the pod and of others, make of every topology, from PreScore to Score.
#pragma once

#include <memory>

#include "scheduler/framework/cycle_state.h"
#include "scheduler/plugins/inter_pod_affinity/topology_sums.h"

namespace quadra::scheduler {

struct Preferences final : StateData {
  TopologySums weights;

  std::unique_ptr<StateData> Clone() const override { return std::make_unique<Preferences>(*this); }
};

// The key of CycleState, which PreFilter does not use.
inline constexpr std::string_view kPreferencesKey = "PreScoreInterPodAffinity";

}  // namespace quadra::scheduler
