#include "scheduler/plugins/pod_topology_spread/pod_topology_spread.h"
#include "scheduler/plugins/pod_topology_spread/spread_counts.h"

namespace quadra::scheduler {

Status PodTopologySpread::Filter(CycleState& state, const PodInfo& pod,
                                 const NodeInfo& node) const {
  static const Status kNoSuchLabel(
      Code::kUnschedulableAndUnresolvable,
      "node(s) didn't match pod topology spread constraints (missing required label)");
  static const Status kTooMany(Code::kUnschedulable,
                               "node(s) didn't match pod topology spread constraints");
  const auto& spread = *state.Read<SpreadCounts>(kName);
  for (std::size_t i = 0; i < spread.counts.size(); ++i) {
    const SpreadConstraint& constraint = (*spread.constraints)[i];
    const DomainCounts& counts = spread.counts[i];
    const std::string* const domain = node.node().metadata.labels.Find(constraint.topology_key);
    if (domain == nullptr) {
      return kNoSuchLabel;
    }
    const std::int64_t self = constraint.selector.Matches(pod.pod.metadata.labels) ? 1 : 0;
    const std::int64_t skew = counts.Of(*domain) + self - counts.Fewest(constraint.min_domains);
    if (skew > constraint.max_skew) {
      return kTooMany;
    }
  }
  return {};
}

}  // namespace quadra::scheduler
