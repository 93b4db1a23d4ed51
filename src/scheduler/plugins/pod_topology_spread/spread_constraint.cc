#include "scheduler/plugins/pod_topology_spread/spread_constraint.h"

#include <algorithm>
#include <utility>

#include "placement/place.h"

namespace quadra::scheduler {
namespace {

Result<SpreadConstraint> ReadConstraint(const api::TopologySpreadConstraint& in,
                                        const api::Pod& pod, const api::FeatureGates& gates) {
  SpreadConstraint read{.max_skew = in.max_skew,
                        .topology_key = in.topology_key,
                        .min_domains = in.min_domains.value_or(1),
                        .honors_affinity = in.node_affinity_policy.value_or("Honor") == "Honor",
                        .honors_taints = in.node_taints_policy.value_or("Ignore") == "Honor"};
  QUADRA_TRY(read.selector, LabelQuery::Of(in.label_selector));
  if (gates.Enabled(api::Gate::kMatchLabelKeysInPodTopologySpread)) {
    for (const std::string& key : in.match_label_keys) {
      if (const std::string* const value = pod.metadata.labels.Find(key)) {
        read.selector.AddEquals(key, *value);
      }
    }
  }
  return read;
}

}  // namespace

bool SpreadConstraint::Includes(const api::Node& node, const api::Pod& pod,
                                const api::FeatureGates& gates) const {
  const bool comparisons = gates.Enabled(api::Gate::kTaintTolerationComparisonOperators);
  return (!honors_affinity || placement::Selects(pod, node)) &&
         (!honors_taints || placement::ToleratesTaintsOf(pod, node, comparisons));
}

Result<std::vector<SpreadConstraint>> ReadConstraints(
    const api::List<api::TopologySpreadConstraint>& constraints, std::string_view action,
    const api::Pod& pod, const api::FeatureGates& gates) {
  std::vector<SpreadConstraint> read;
  for (const api::TopologySpreadConstraint& each : constraints) {
    if (each.when_unsatisfiable == action) {
      QUADRA_TRY(SpreadConstraint constraint, ReadConstraint(each, pod, gates));
      read.push_back(std::move(constraint));
    }
  }
  return read;
}

bool HasKeysOf(std::span<const SpreadConstraint> constraints, const api::Node& node) {
  return std::ranges::all_of(constraints, [&](const SpreadConstraint& each) {
    return node.metadata.labels.Find(each.topology_key) != nullptr;
  });
}

std::int32_t CountChosen(const NodeInfo& node, const LabelQuery& selector, const std::string& ns) {
  if (selector.SelectsEverything()) {
    return 0;
  }
  return static_cast<std::int32_t>(std::ranges::count_if(node.pods(), [&](const PodInfoPtr& each) {
    const api::ObjectMeta& meta = each->pod.metadata;
    return !meta.deletion_timestamp && meta.ns == ns && selector.Matches(meta.labels);
  }));
}

}  // namespace quadra::scheduler
