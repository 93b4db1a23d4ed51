#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "scheduler/plugins/pod_topology_spread/pod_topology_spread.h"
#include "scheduler/plugins/pod_topology_spread/spread_weights.h"

namespace quadra::scheduler {
namespace {

const std::string& DomainOf(const api::Node& node, const std::string& topology_key) {
  static const std::string kNone;
  const std::string* const domain = node.metadata.labels.Find(topology_key);
  return domain == nullptr ? kNone : *domain;
}

// The domains of candidates, each with no pods yet.
void OpenDomains(SpreadWeights& spread, const api::Node& node) {
  for (SpreadWeights::Preference& each : spread.preferences) {
    if (!each.IsOfHosts()) {
      each.counts.try_emplace(DomainOf(node, each.constraint.topology_key), 0);
    }
  }
}

void Weigh(SpreadWeights& spread, std::size_t candidates) {
  for (SpreadWeights::Preference& each : spread.preferences) {
    const std::size_t domains =
        each.IsOfHosts() ? candidates - spread.ignored.size() : each.counts.size();
    each.weight = std::log(static_cast<double>(domains + 2));
  }
}

// Domains without a candidate do not matter.
void CountPreferred(SpreadWeights& spread, const NodeInfo& node, const api::Pod& pod,
                    const api::FeatureGates& gates) {
  for (SpreadWeights::Preference& each : spread.preferences) {
    const auto domain = each.counts.find(DomainOf(node.node(), each.constraint.topology_key));
    if (domain != each.counts.end() && each.constraint.Includes(node.node(), pod, gates)) {
      domain->second += CountChosen(node, each.constraint.selector, pod.metadata.ns);
    }
  }
}

}  // namespace

Status PodTopologySpread::PreScore(CycleState& state, const PodInfo& pod,
                                   std::span<const NodeInfo* const> nodes) const {
  Result<Constraints> constraints = ConstraintsOf(pod.pod, "ScheduleAnyway");
  if (!constraints) {
    return {Code::kError, fmt::format("calculating preScoreState: obtaining pod's soft topology "
                                      "spread constraints: {}",
                                      constraints.error().message)};
  }
  if (constraints->empty()) {
    return {Code::kSkip, std::vector<std::string>()};
  }
  // The system's defaults spread over hosts also where nodes have no zone.
  const bool needs_all_keys =
      !pod.pod.spec.topology_spread_constraints.empty() || !args_.system_defaults;
  auto spread = std::make_unique<SpreadWeights>();
  for (SpreadConstraint& each : *constraints) {
    spread->preferences.push_back({.constraint = each, .counts = {}});
  }
  for (const NodeInfo* const node : nodes) {
    if (needs_all_keys && !HasKeysOf(*constraints, node->node())) {
      spread->ignored.insert(node->name());
    } else {
      OpenDomains(*spread, node->node());
    }
  }
  Weigh(*spread, nodes.size());
  for (const NodeInfo* const node : handle_.snapshot.nodes()) {
    if (!needs_all_keys || HasKeysOf(*constraints, node->node())) {
      CountPreferred(*spread, *node, pod.pod, handle_.gates);
    }
  }
  state.Write(kSpreadWeightsKey, std::move(spread));
  return {};
}

}  // namespace quadra::scheduler
