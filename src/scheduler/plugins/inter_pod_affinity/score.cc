#include <algorithm>

#include "scheduler/plugins/inter_pod_affinity/inter_pod_affinity.h"
#include "scheduler/plugins/inter_pod_affinity/preferences.h"

namespace quadra::scheduler {

// Negative where the pod rather stays away.
Status InterPodAffinity::Score(CycleState& state, const PodInfo& /*pod*/, const NodeInfo& node,
                               std::int64_t& score) const {
  score = state.Read<Preferences>(kPreferencesKey)->weights.TotalAt(node.node());
  return {};
}

// The least becomes 0, the most kMaxNodeScore; all 0 where they are alike.
Status InterPodAffinity::Normalize(CycleState& /*state*/, const PodInfo& /*pod*/,
                                   std::span<NodeScore> scores) const {
  if (scores.empty()) {
    return {};
  }
  const auto [least, most] = std::ranges::minmax(scores, {}, &NodeScore::score);
  const auto range = static_cast<double>(most.score - least.score);
  for (NodeScore& each : scores) {
    const double above = static_cast<double>(each.score - least.score);
    each.score = range > 0 ? static_cast<std::int64_t>(kMaxNodeScore * (above / range)) : 0;
  }
  return {};
}

}  // namespace quadra::scheduler
