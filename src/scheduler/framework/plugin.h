// Plugin: who decides where pods go, at the extension points of upstream's scheduling framework.
//
//   class NodeName final : public Plugin, public FilterPlugin {
//    public:
//     std::string_view name() const override { return "NodeName"; }
//     Status Filter(CycleState&, const PodInfo& pod, const NodeInfo& node) const override { … }
//   };
//
// A plugin implements the points that concern it; a Profile finds them by type. All but PreBind and
// Bind are pure: they read the snapshot and the state, and neither wait nor write to a server. What
// PostFilter wants written goes to the handle's writer. Statuses come back with the plugin's name,
// which the Profile adds.
// Threads: the scheduler's loop.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "loop/task.h"
#include "scheduler/framework/cluster_event.h"
#include "scheduler/framework/cycle_state.h"
#include "scheduler/framework/node_info.h"
#include "scheduler/framework/pod_info.h"
#include "scheduler/framework/preemption_plan.h"
#include "scheduler/framework/status.h"

namespace quadra::scheduler {

inline constexpr std::int64_t kMaxNodeScore = 100;

class Plugin {
 public:
  virtual ~Plugin() = default;
  // As upstream names it; lives for ever.
  virtual std::string_view name() const = 0;
  // What may make a pod schedulable that this plugin rejected. Empty: nothing that happens.
  virtual std::vector<EventHint> EventsToRegister() const { return {}; }
};

class PreEnqueuePlugin {
 public:
  virtual ~PreEnqueuePlugin() = default;
  // Whether the pod may be looked at at all. What it says is kept for people.
  virtual Status PreEnqueue(const PodInfo& pod) const = 0;
};

struct PreFilterResult {
  Status status;  // kSkip: Filter is not asked
  // The only nodes worth looking at; absent: all.
  std::optional<std::vector<std::string>> nodes;
};

class PreFilterPlugin {
 public:
  virtual ~PreFilterPlugin() = default;
  virtual PreFilterResult PreFilter(CycleState& state, const PodInfo& pod) const = 0;
  // For trials: `other` is imagined to be on the node besides, or gone from it; `node` is as it is
  // then. Only where HasExtensions().
  virtual bool HasExtensions() const { return false; }
  virtual Status AddPod(CycleState& /*state*/, const PodInfo& /*pod*/, const PodInfo& /*other*/,
                        const NodeInfo& /*node*/) const {
    return {};
  }
  virtual Status RemovePod(CycleState& /*state*/, const PodInfo& /*pod*/, const PodInfo& /*other*/,
                           const NodeInfo& /*node*/) const {
    return {};
  }
};

class FilterPlugin {
 public:
  virtual ~FilterPlugin() = default;
  virtual Status Filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) const = 0;
};

// Why nodes were refused, by name. Nodes that are missing said `absent`.
struct NodeStatuses {
  absl::flat_hash_map<std::string, Status> nodes;
  Status absent{Code::kUnschedulableAndUnresolvable, std::vector<std::string>()};

  const Status& Of(std::string_view node) const;
};

struct PostFilterResult {
  // kSuccess: something was done that will make room; kUnschedulable: nothing could be.
  Status status;
  // What the pod's status nominates from now on; absent: as it is; empty: none.
  std::optional<std::string> nominated_node;
  // Whose end will make that room, if that is what was done.
  std::optional<PreemptionPlan> plan;
};

class PostFilterPlugin {
 public:
  virtual ~PostFilterPlugin() = default;
  virtual PostFilterResult PostFilter(CycleState& state, const PodInfo& pod,
                                      const NodeStatuses& statuses) = 0;
};

class PreScorePlugin {
 public:
  virtual ~PreScorePlugin() = default;
  // kSkip: Score is not asked.
  virtual Status PreScore(CycleState& state, const PodInfo& pod,
                          std::span<const NodeInfo* const> nodes) const = 0;
};

struct NodeScore {
  const NodeInfo* node = nullptr;
  std::int64_t score = 0;
};

class ScorePlugin {
 public:
  virtual ~ScorePlugin() = default;
  // After Normalize 0 to kMaxNodeScore; more is better. A failure fails the pod.
  virtual Status Score(CycleState& state, const PodInfo& pod, const NodeInfo& node,
                       std::int64_t& score) const = 0;
  virtual Status Normalize(CycleState& /*state*/, const PodInfo& /*pod*/,
                           std::span<NodeScore> /*scores*/) const {
    return {};
  }
};

class ReservePlugin {
 public:
  virtual ~ReservePlugin() = default;
  virtual Status Reserve(CycleState& state, const PodInfo& pod, const std::string& node) = 0;
  // Undoes it; also what was never done.
  virtual void Unreserve(CycleState& state, const PodInfo& pod, const std::string& node) = 0;
};

class PreBindPlugin {
 public:
  virtual ~PreBindPlugin() = default;
  // Whether PreBind has something to do; kSkip: not.
  virtual Status PreBindPreFlight(CycleState& state, const PodInfo& pod,
                                  const std::string& node) = 0;
  // Writes what the pod needs before it is bound. `state` and `pod` outlive the task.
  virtual loop::Task<Status> PreBind(CycleState& state, PodInfoPtr pod, std::string node) = 0;
};

class BindPlugin {
 public:
  virtual ~BindPlugin() = default;
  virtual loop::Task<Status> Bind(CycleState& state, PodInfoPtr pod, std::string node) = 0;
};

// Scores so scaled that the largest becomes kMaxNodeScore; `reverse`: the smallest does.
void NormalizeByMaximum(std::span<NodeScore> scores, bool reverse);

}  // namespace quadra::scheduler
