// SpreadConstraint: a topology spread constraint of a pod, read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "api/kinds.h"
#include "api/vocabulary.h"
#include "base/result.h"
#include "scheduler/framework/label_query.h"
#include "scheduler/framework/node_info.h"

namespace quadra::scheduler {

inline constexpr std::string_view kHostnameKey = "kubernetes.io/hostname";

struct SpreadConstraint {
  std::int32_t max_skew = 1;
  std::string topology_key;
  LabelQuery selector;
  std::int32_t min_domains = 1;
  bool honors_affinity = true;  // nodes that the pod's node affinity excludes do not count
  bool honors_taints = false;   // nor do those whose taints it does not tolerate

  // Whether pods on the node count for `pod`.
  bool Includes(const api::Node& node, const api::Pod& pod, const api::FeatureGates& gates) const;
};

// Those of the list for that action, DoNotSchedule or ScheduleAnyway. The error has upstream's words.
Result<std::vector<SpreadConstraint>> ReadConstraints(
    const api::List<api::TopologySpreadConstraint>& constraints, std::string_view action,
    const api::Pod& pod, const api::FeatureGates& gates);

// Whether it has all their topology keys.
bool HasKeysOf(std::span<const SpreadConstraint> constraints, const api::Node& node);

// Pods of the namespace on the node that are chosen and are not being deleted. A selector of
// everything chooses none.
std::int32_t CountChosen(const NodeInfo& node, const LabelQuery& selector, const std::string& ns);

}  // namespace quadra::scheduler
