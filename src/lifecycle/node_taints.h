// Which taints and labels a node should have by its conditions. Pure.
//
//   const NodeEdit edit = EditByConditions(node, loop.Now());
//   if (!edit.empty()) … edit.PatchText(node) …
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "api/kinds.h"
#include "base/clock.h"

namespace quadra::lifecycle {

inline constexpr std::string_view kNotReadyTaint = "node.kubernetes.io/not-ready";
inline constexpr std::string_view kUnreachableTaint = "node.kubernetes.io/unreachable";

// Null where it has none.
const api::NodeCondition* FindCondition(const api::Node& node, std::string_view type);

bool HasTaint(const api::Node& node, std::string_view key, std::string_view effect);

// What is to become of a node's metadata and spec.
struct NodeEdit {
  std::optional<api::List<api::Taint>> taints;  // all of them; absent: as they are
  std::map<std::string, std::string> labels;    // added or changed

  bool empty() const { return !taints && labels.empty(); }
  // A merge patch of this state of the node alone.
  std::string PatchText(const api::Node& node) const;
};

// NoSchedule taints for Ready False or Unknown, for pressures, for a network that is unavailable and
// for spec.unschedulable, and none of these without such a reason; and the old labels of operating
// system and architecture as the new ones say.
NodeEdit EditByConditions(const api::Node& node, Time now);

// The NoExecute taint for Ready False or Unknown, and the other one, or both, off. Nothing where it
// has no such condition.
NodeEdit EditByReadiness(const api::Node& node, Time now);

// Both NoExecute taints off.
NodeEdit LiftedTaints(const api::Node& node);

// Region and zone of its labels; empty: none.
std::string ZoneOf(const api::Node& node);

}  // namespace quadra::lifecycle
