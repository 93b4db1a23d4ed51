#include <algorithm>
#include <cmath>
#include <limits>

#include "scheduler/plugins/pod_topology_spread/pod_topology_spread.h"
#include "scheduler/plugins/pod_topology_spread/spread_weights.h"

namespace quadra::scheduler {
namespace {

std::int64_t CountNear(const SpreadWeights::Preference& preference, const NodeInfo& node,
                       const std::string& domain, const std::string& ns) {
  return preference.IsOfHosts() ? CountChosen(node, preference.constraint.selector, ns)
                                : preference.counts.at(domain);
}

}  // namespace

// How many chosen pods there are, by and large: less is better.
Status PodTopologySpread::Score(CycleState& state, const PodInfo& pod, const NodeInfo& node,
                                std::int64_t& score) const {
  const auto& spread = *state.Read<SpreadWeights>(kSpreadWeightsKey);
  score = 0;
  if (spread.ignored.contains(node.name())) {
    return {};
  }
  double sum = 0;
  for (const SpreadWeights::Preference& each : spread.preferences) {
    const std::string* const domain =
        node.node().metadata.labels.Find(each.constraint.topology_key);
    if (domain != nullptr) {
      const auto count = static_cast<double>(CountNear(each, node, *domain, pod.pod.metadata.ns));
      sum += count * each.weight + static_cast<double>(each.constraint.max_skew - 1);
    }
  }
  score = std::llround(sum);
  return {};
}

Status PodTopologySpread::Normalize(CycleState& state, const PodInfo& /*pod*/,
                                    std::span<NodeScore> scores) const {
  const auto& spread = *state.Read<SpreadWeights>(kSpreadWeightsKey);
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = 0;
  for (const NodeScore& each : scores) {
    if (!spread.ignored.contains(each.node->name())) {
      least = std::min(least, each.score);
      most = std::max(most, each.score);
    }
  }
  for (NodeScore& each : scores) {
    if (spread.ignored.contains(each.node->name())) {
      each.score = 0;
    } else {
      each.score = most == 0 ? kMaxNodeScore : kMaxNodeScore * (most + least - each.score) / most;
    }
  }
  return {};
}

}  // namespace quadra::scheduler
