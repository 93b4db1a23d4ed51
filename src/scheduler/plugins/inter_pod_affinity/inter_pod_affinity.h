// InterPodAffinity: pods go where pods are that their terms want near, and keep away from those that
// their terms, or the terms of those pods, do not.
//
// As upstream; the gate InterPodAffinityHostnameFastPath changes nothing here.
// Cost: PreFilter and PreScore look at every pod where the pod has terms of that kind, else at pods
// that have; Filter and Score at the labels of a node.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/framework/handle.h"
#include "scheduler/framework/plugin.h"

namespace quadra::scheduler {

class InterPodAffinity final : public Plugin,
                               public PreFilterPlugin,
                               public FilterPlugin,
                               public PreScorePlugin,
                               public ScorePlugin {
 public:
  static constexpr std::string_view kName = "InterPodAffinity";

  struct Args {
    // What a required affinity term of an existing pod that chooses the pod counts for. 0 to 100.
    std::int64_t hard_weight = 1;
    // Where the pod itself prefers nothing.
    bool ignore_preferred_terms_of_existing_pods = false;
  };
  // `snapshot` must outlive it.
  InterPodAffinity(const Snapshot& snapshot, const Args& args) : snapshot_(snapshot), args_(args) {}

  std::string_view name() const override { return kName; }
  std::vector<EventHint> EventsToRegister() const override;

  PreFilterResult PreFilter(CycleState& state, const PodInfo& pod) const override;
  bool HasExtensions() const override { return true; }
  Status AddPod(CycleState& state, const PodInfo& pod, const PodInfo& other,
                const NodeInfo& node) const override;
  Status RemovePod(CycleState& state, const PodInfo& pod, const PodInfo& other,
                   const NodeInfo& node) const override;

  Status Filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) const override;

  Status PreScore(CycleState& state, const PodInfo& pod,
                  std::span<const NodeInfo* const> nodes) const override;
  Status Score(CycleState& state, const PodInfo& pod, const NodeInfo& node,
               std::int64_t& score) const override;
  Status Normalize(CycleState& state, const PodInfo& pod,
                   std::span<NodeScore> scores) const override;

 private:
  const Snapshot& snapshot_;
  const Args args_;
};

Result<std::unique_ptr<Plugin>> MakeInterPodAffinity(Handle& handle, const json::Value& args);

}  // namespace quadra::scheduler
