// Profile: the plugins of one scheduler name, asked in their order at every extension point.
//
//   Profile profile("default-scheduler", std::move(plugins), handle);
//   Filtered found = profile.RunPreFilter(state, pod);  …
//
// Order, short cuts and texts are upstream's: PreFilter stops at the first no, Filter at the first no
// of a node; a plugin that skipped PreFilter is not asked to filter.
// Threads: the scheduler's loop.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loop/task.h"
#include "scheduler/framework/handle.h"
#include "scheduler/framework/plugin.h"

namespace quadra::scheduler {

struct WeightedPlugin {
  std::unique_ptr<Plugin> plugin;
  std::int64_t weight = 1;  // of its scores
  // Extension points at which it is not asked, by upstream's names.
  std::set<std::string, std::less<>> off = {};
};

struct PreFiltered {
  Status status;
  std::optional<std::vector<std::string>> nodes;  // the only ones worth looking at; sorted
  std::set<std::string_view> plugins;             // that narrowed them, or said no
};

// One node's scores: of each plugin after normalising and before weighing, and the weighed sum.
struct ScoredNode {
  const NodeInfo* node = nullptr;
  std::vector<std::pair<std::string_view, std::int64_t>> by_plugin;
  std::int64_t total = 0;
};

class Profile final : public FilterRunner {
 public:
  // `handle` must outlive it; its `filters` is set to this.
  Profile(std::string name, std::vector<WeightedPlugin> plugins, Handle& handle);
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  const std::string& name() const { return name_; }
  // All of them, in order.
  std::span<const WeightedPlugin> plugins() const { return plugins_; }
  // Whether any of them scores nodes.
  bool HasScores() const { return !score_.empty(); }

  // The first no; success: the pod may wait for its turn.
  Status RunPreEnqueue(const PodInfo& pod) const;
  PreFiltered RunPreFilter(CycleState& state, const PodInfo& pod) const;
  Status RunFilters(CycleState& state, const PodInfo& pod, const NodeInfo& node) const;
  Status RunFiltersWithNominatedPods(CycleState& state, const PodInfo& pod,
                                     const NodeInfo& node) override;
  Status RunAddPod(CycleState& state, const PodInfo& pod, const PodInfo& other,
                   const NodeInfo& node) override;
  Status RunRemovePod(CycleState& state, const PodInfo& pod, const PodInfo& other,
                      const NodeInfo& node) override;
  // The first that did something; else all their reasons.
  PostFilterResult RunPostFilter(CycleState& state, const PodInfo& pod,
                                 const NodeStatuses& statuses) const;
  // In the order of `nodes`. On failure the error.
  Status RunScores(CycleState& state, const PodInfo& pod, std::span<const NodeInfo* const> nodes,
                   std::vector<ScoredNode>& scored) const;
  Status RunReserve(CycleState& state, const PodInfo& pod, const std::string& node) const;
  void RunUnreserve(CycleState& state, const PodInfo& pod, const std::string& node) const;
  // Whether a PreBind has something to do; kSkip: none has.
  Status RunPreBindPreFlight(CycleState& state, const PodInfo& pod, const std::string& node) const;
  // The state must outlive the tasks.
  loop::Task<Status> RunPreBind(CycleState& state, PodInfoPtr pod, std::string node) const;
  loop::Task<Status> RunBind(CycleState& state, PodInfoPtr pod, std::string node) const;

 private:
  template <typename Point>
  struct Named {
    std::string_view name;
    Point* point = nullptr;
    std::int64_t weight = 1;
  };
  template <typename Point>
  // `point` is its name in configurations.
  std::vector<Named<Point>> Find(std::string_view point) const;

  std::string name_;
  std::vector<WeightedPlugin> plugins_;
  Handle& handle_;
  std::vector<Named<PreEnqueuePlugin>> pre_enqueue_;
  std::vector<Named<PreFilterPlugin>> pre_filter_;
  std::vector<Named<FilterPlugin>> filter_;
  std::vector<Named<PostFilterPlugin>> post_filter_;
  std::vector<Named<PreScorePlugin>> pre_score_;
  std::vector<Named<ScorePlugin>> score_;
  std::vector<Named<ReservePlugin>> reserve_;
  std::vector<Named<PreBindPlugin>> pre_bind_;
  std::vector<Named<BindPlugin>> bind_;
};

}  // namespace quadra::scheduler
