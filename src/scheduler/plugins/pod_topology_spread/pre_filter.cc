#include <utility>

#include <fmt/format.h>

#include "scheduler/plugins/pod_topology_spread/pod_topology_spread.h"
#include "scheduler/plugins/pod_topology_spread/spread_counts.h"

namespace quadra::scheduler {
namespace {

void CountNode(SpreadCounts& spread, const NodeInfo& node, const api::Pod& pod,
               const api::FeatureGates& gates) {
  const std::vector<SpreadConstraint>& constraints = *spread.constraints;
  if (!HasKeysOf(constraints, node.node())) {
    return;
  }
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const SpreadConstraint& constraint = constraints[i];
    if (constraint.Includes(node.node(), pod, gates)) {
      spread.counts[i].Add(*node.node().metadata.labels.Find(constraint.topology_key),
                           CountChosen(node, constraint.selector, pod.metadata.ns));
    }
  }
}

}  // namespace

PreFilterResult PodTopologySpread::PreFilter(CycleState& state, const PodInfo& pod) const {
  Result<Constraints> constraints = ConstraintsOf(pod.pod, "DoNotSchedule");
  if (!constraints) {
    return {.status = Status(Code::kError,
                             fmt::format("get constraints from pod: obtaining pod's hard topology "
                                         "spread constraints: {}",
                                         constraints.error().message)),
            .nodes = std::nullopt};
  }
  if (constraints->empty()) {
    return {.status = Status(Code::kSkip, std::vector<std::string>()), .nodes = std::nullopt};
  }
  auto spread = std::make_unique<SpreadCounts>();
  spread->counts.resize(constraints->size());
  spread->constraints = std::make_shared<const Constraints>(*std::move(constraints));
  for (const NodeInfo* const node : handle_.snapshot.nodes()) {
    CountNode(*spread, *node, pod.pod, handle_.gates);
  }
  for (DomainCounts& each : spread->counts) {
    each.Settle();
  }
  state.Write(kName, std::move(spread));
  return {};
}

void PodTopologySpread::Change(CycleState& state, const PodInfo& pod, const PodInfo& other,
                               const api::Node& node, std::int32_t by) const {
  auto* const spread = state.Read<SpreadCounts>(kName);
  const Constraints& constraints = *spread->constraints;
  if (other.pod.metadata.ns != pod.pod.metadata.ns || !HasKeysOf(constraints, node)) {
    return;
  }
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const SpreadConstraint& each = constraints[i];
    if (each.selector.Matches(other.pod.metadata.labels) &&
        each.Includes(node, pod.pod, handle_.gates)) {
      spread->counts[i].Change(*node.metadata.labels.Find(each.topology_key), by);
    }
  }
}

Status PodTopologySpread::AddPod(CycleState& state, const PodInfo& pod, const PodInfo& other,
                                 const NodeInfo& node) const {
  Change(state, pod, other, node.node(), 1);
  return {};
}

Status PodTopologySpread::RemovePod(CycleState& state, const PodInfo& pod, const PodInfo& other,
                                    const NodeInfo& node) const {
  Change(state, pod, other, node.node(), -1);
  return {};
}

}  // namespace quadra::scheduler
