// PodTopologySpread: pods that a constraint chooses are spread over the domains of a topology: strictly where
// it says DoNotSchedule, as far as possible where it says ScheduleAnyway.
//
// A pod without constraints has the default ones: those of the arguments, or the system's, which
// prefer to spread over hosts and zones what its Services and its controller select.
// Cost: PreFilter and PreScore look at every pod once a constraint; Filter and Score at one node.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/framework/handle.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/plugins/pod_topology_spread/spread_constraint.h"

namespace quadra::scheduler {

class PodTopologySpread final : public Plugin,
                                public PreFilterPlugin,
                                public FilterPlugin,
                                public PreScorePlugin,
                                public ScorePlugin {
 public:
  static constexpr std::string_view kName = "PodTopologySpread";

  struct Args {
    // Of pods that have none; without selectors, which are deduced.
    api::List<api::TopologySpreadConstraint> default_constraints;
    bool system_defaults = true;  // then the above are the system's
  };
  // `handle` must outlive it.
  PodTopologySpread(const Handle& handle, Args args);

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
  using Constraints = std::vector<SpreadConstraint>;
  // The pod's own, or the default ones; of that action.
  Result<Constraints> ConstraintsOf(const api::Pod& pod, std::string_view action) const;
  void Change(CycleState& state, const PodInfo& pod, const PodInfo& other, const api::Node& node,
              std::int32_t by) const;

  // --- hints.cc
  bool MayPodHelp(const PodInfo& pod, const EventObjects& objects) const;
  bool MayOwnChangeHelp(const PodInfo& pod, const EventObjects& objects) const;
  bool MayNodeHelp(const PodInfo& pod, const EventObjects& objects) const;

  const Handle& handle_;
  const Args args_;
};

Result<std::unique_ptr<Plugin>> MakePodTopologySpread(Handle& handle, const json::Value& args);

}  // namespace quadra::scheduler
