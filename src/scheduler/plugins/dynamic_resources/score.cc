// Nodes where the pod gets the alternatives that it wants more are better.

#include "scheduler/plugins/dynamic_resources/dynamic_resources.h"

namespace quadra::scheduler {

Status DynamicResources::Score(CycleState& state, const PodInfo& /*pod*/, const NodeInfo& node,
                               std::int64_t& score) const {
  score = 0;
  const ClaimsOfPod* const found = FindClaims(state);
  if (found == nullptr) {
    return {};
  }
  const auto grant = found->grants.find(node.name());
  if (grant != found->grants.end() && grant->second.variant->allocator != nullptr) {
    score = found->base_score + grant->second.score;
  }
  return {};
}

Status DynamicResources::Normalize(CycleState& /*state*/, const PodInfo& /*pod*/,
                                   std::span<NodeScore> scores) const {
  NormalizeByMaximum(scores, false);
  return {};
}

}  // namespace quadra::scheduler
