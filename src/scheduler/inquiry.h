// Inquiry: what every plugin says of a pod and of every node, one by one, where a cycle would stop at the
// first no.
//
//   const Inquiry found = Inquire(profile, snapshot, pod);
//
// Changes nothing but what plugins remember of the pod. Cost: all filters on all nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/framework/profile.h"
#include "scheduler/framework/snapshot.h"

namespace quadra::scheduler {

struct PluginVerdict {
  std::string_view plugin;
  Status status;
  std::optional<std::vector<std::string>> nodes;  // of PreFilter: the only ones worth looking at
};

struct RefusedNode {
  const NodeInfo* node = nullptr;
  std::vector<PluginVerdict> verdicts;  // each a no, or an error
};

struct PluginScore {
  std::string_view plugin;
  std::int64_t raw = 0;    // as Score gave it
  std::int64_t score = 0;  // after Normalize, before weighing
};

struct RatedNode {
  const NodeInfo* node = nullptr;
  std::vector<PluginScore> scores;
  std::int64_t total = 0;  // weighed
};

struct Inquiry {
  std::vector<PluginVerdict> pre_filter;  // all plugins that have one
  std::vector<RefusedNode> refused;       // by name
  std::vector<RatedNode> feasible;        // best first, then by name
  std::vector<PluginVerdict> pre_score;   // failed or skipped; then Score was not asked
  std::vector<PluginVerdict> failed;      // by Score or Normalize
  CycleState state;                       // for Reserve on the best
};

Inquiry Inquire(const Profile& profile, const Snapshot& snapshot, const PodInfo& pod);

}  // namespace quadra::scheduler
