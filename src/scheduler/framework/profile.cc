#include "scheduler/framework/profile.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace quadra::scheduler {
namespace {

Status ErrorOf(std::string_view plugin, std::string_view what, const Status& status) {
  return Status(Code::kError, fmt::format("running {} \"{}\": {}", what, plugin, status.Message()))
      .From(plugin);
}

// What is in both; absent means everything.
void Narrow(std::optional<std::vector<std::string>>& nodes, std::vector<std::string> to) {
  std::ranges::sort(to);
  if (!nodes) {
    nodes = std::move(to);
    return;
  }
  std::vector<std::string> both;
  std::ranges::set_intersection(*nodes, to, std::back_inserter(both));
  nodes = std::move(both);
}

Status NoNodeLeft(const std::set<std::string_view>& plugins) {
  return {Code::kUnschedulableAndUnresolvable,
          plugins.size() == 1 ? fmt::format("node(s) didn't satisfy plugin {}", *plugins.begin())
                              : fmt::format("node(s) didn't satisfy plugin(s) [{}] simultaneously",
                                            fmt::join(plugins, " "))};
}

}  // namespace

template <typename Point>
auto Profile::Find(std::string_view name) const -> std::vector<Named<Point>> {
  std::vector<Named<Point>> found;
  for (const WeightedPlugin& each : plugins_) {
    auto* const point = dynamic_cast<Point*>(each.plugin.get());
    if (point != nullptr && !each.off.contains(name)) {
      found.push_back({.name = each.plugin->name(), .point = point, .weight = each.weight});
    }
  }
  return found;
}

Profile::Profile(std::string name, std::vector<WeightedPlugin> plugins, Handle& handle)
    : name_(std::move(name)),
      plugins_(std::move(plugins)),
      handle_(handle),
      pre_enqueue_(Find<PreEnqueuePlugin>("preEnqueue")),
      pre_filter_(Find<PreFilterPlugin>("preFilter")),
      filter_(Find<FilterPlugin>("filter")),
      post_filter_(Find<PostFilterPlugin>("postFilter")),
      pre_score_(Find<PreScorePlugin>("preScore")),
      score_(Find<ScorePlugin>("score")),
      reserve_(Find<ReservePlugin>("reserve")),
      pre_bind_(Find<PreBindPlugin>("preBind")),
      bind_(Find<BindPlugin>("bind")) {
  handle_.filters = this;
}

Status Profile::RunPreEnqueue(const PodInfo& pod) const {
  for (const auto& [name, point, weight] : pre_enqueue_) {
    if (Status status = point->PreEnqueue(pod); !status.ok()) {
      return std::move(status).From(name);
    }
  }
  return {};
}

PreFiltered Profile::RunPreFilter(CycleState& state, const PodInfo& pod) const {
  PreFiltered found;
  for (const auto& [name, point, weight] : pre_filter_) {
    PreFilterResult result = point->PreFilter(state, pod);
    if (result.status.skips()) {
      state.SkipFilter(name);
      continue;
    }
    if (result.status.code() == Code::kUnschedulableAndUnresolvable) {
      return {.status = std::move(result.status).From(name)};
    }
    if (result.status.code() == Code::kUnschedulable) {
      found.status = std::move(result.status).From(name);  // preemption may help: all are asked
      continue;
    }
    if (!result.status.ok()) {
      return {.status = ErrorOf(name, "PreFilter plugin", result.status)};
    }
    if (result.nodes) {
      found.plugins.insert(name);
      Narrow(found.nodes, *std::move(result.nodes));
    }
    if (found.nodes && found.nodes->empty()) {
      found.status = NoNodeLeft(found.plugins);
      return found;
    }
  }
  return found;
}

Status Profile::RunFilters(CycleState& state, const PodInfo& pod, const NodeInfo& node) const {
  for (const auto& [name, point, weight] : filter_) {
    if (state.SkipsFilter(name)) {
      continue;
    }
    if (Status status = point->Filter(state, pod, node); !status.ok()) {
      return status.IsRejected()
                 ? std::move(status).From(name)
                 : Status(Code::kError,
                          fmt::format("running \"{}\" filter plugin: {}", name, status.Message()))
                       .From(name);
    }
  }
  return {};
}

Status Profile::RunFiltersWithNominatedPods(CycleState& state, const PodInfo& pod,
                                            const NodeInfo& node) {
  std::vector<PodInfoPtr> nominated = handle_.nominated(node.name());
  std::erase_if(nominated, [&](const PodInfoPtr& each) {
    return each->priority < pod.priority || each->uid() == pod.uid();
  });
  if (nominated.empty()) {
    return RunFilters(state, pod, node);
  }
  CycleState with_them = state.Clone();
  NodeInfo beside = node;
  for (const PodInfoPtr& each : nominated) {
    beside.Add(each);
    if (Status status = RunAddPod(with_them, pod, *each, beside); !status.ok()) {
      return {Code::kError, status.Message()};
    }
  }
  Status status = RunFilters(with_them, pod, beside);
  return status.ok() ? RunFilters(state, pod, node) : status;
}

Status Profile::RunAddPod(CycleState& state, const PodInfo& pod, const PodInfo& other,
                          const NodeInfo& node) {
  for (const auto& [name, point, weight] : pre_filter_) {
    if (!point->HasExtensions() || state.SkipsFilter(name)) {
      continue;
    }
    if (Status status = point->AddPod(state, pod, other, node); !status.ok()) {
      return ErrorOf(name, "AddPod on PreFilter plugin", status);
    }
  }
  return {};
}

Status Profile::RunRemovePod(CycleState& state, const PodInfo& pod, const PodInfo& other,
                             const NodeInfo& node) {
  for (const auto& [name, point, weight] : pre_filter_) {
    if (!point->HasExtensions() || state.SkipsFilter(name)) {
      continue;
    }
    if (Status status = point->RemovePod(state, pod, other, node); !status.ok()) {
      return ErrorOf(name, "RemovePod on PreFilter plugin", status);
    }
  }
  return {};
}

PostFilterResult Profile::RunPostFilter(CycleState& state, const PodInfo& pod,
                                        const NodeStatuses& statuses) const {
  std::vector<std::string> reasons;
  std::string_view rejector;
  std::optional<std::string> nominated;
  for (const auto& [name, point, weight] : post_filter_) {
    PostFilterResult result = point->PostFilter(state, pod, statuses);
    if (result.status.ok() || result.status.code() == Code::kUnschedulableAndUnresolvable ||
        !result.status.IsRejected()) {
      result.status = std::move(result.status).From(name);
      return result;
    }
    nominated = result.nominated_node ? result.nominated_node : nominated;
    reasons.insert(reasons.end(), result.status.reasons().begin(), result.status.reasons().end());
    rejector = rejector.empty() ? name : rejector;
  }
  return {.status = Status(Code::kUnschedulable, std::move(reasons)).From(rejector),
          .nominated_node = std::move(nominated)};
}

Status Profile::RunScores(CycleState& state, const PodInfo& pod,
                          std::span<const NodeInfo* const> nodes,
                          std::vector<ScoredNode>& scored) const {
  for (const auto& [name, point, weight] : pre_score_) {
    const Status status = point->PreScore(state, pod, nodes);
    if (status.skips()) {
      state.SkipScore(name);
    } else if (!status.ok()) {
      return ErrorOf(name, "PreScore plugin", status);
    }
  }
  scored.clear();
  for (const NodeInfo* const node : nodes) {
    scored.push_back({.node = node, .by_plugin = {}});
  }
  std::vector<NodeScore> scores(nodes.size());
  for (const auto& [name, point, weight] : score_) {
    if (state.SkipsScore(name)) {
      continue;
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      scores[i] = {.node = nodes[i]};
      if (Status status = point->Score(state, pod, *nodes[i], scores[i].score); !status.ok()) {
        return ErrorOf(name, "Score plugin", status);
      }
    }
    if (Status status = point->Normalize(state, pod, scores); !status.ok()) {
      return ErrorOf(name, "Normalize on Score plugin", status);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      scored[i].by_plugin.emplace_back(name, scores[i].score);
      scored[i].total += scores[i].score * weight;
    }
  }
  return {};
}

Status Profile::RunReserve(CycleState& state, const PodInfo& pod, const std::string& node) const {
  for (const auto& [name, point, weight] : reserve_) {
    if (Status status = point->Reserve(state, pod, node); !status.ok()) {
      return status.IsRejected() ? std::move(status).From(name)
                                 : ErrorOf(name, "Reserve plugin", status);
    }
  }
  return {};
}

void Profile::RunUnreserve(CycleState& state, const PodInfo& pod, const std::string& node) const {
  for (auto each = reserve_.rbegin(); each != reserve_.rend(); ++each) {
    each->point->Unreserve(state, pod, node);
  }
}

Status Profile::RunPreBindPreFlight(CycleState& state, const PodInfo& pod,
                                    const std::string& node) const {
  bool wanted = false;
  for (const auto& [name, point, weight] : pre_bind_) {
    const Status status = point->PreBindPreFlight(state, pod, node);
    if (!status.ok() && !status.skips()) {
      return ErrorOf(name, "PreBindPreFlight", status);
    }
    wanted = wanted || status.ok();
  }
  return wanted ? Status() : Status(Code::kSkip, std::vector<std::string>());
}

loop::Task<Status> Profile::RunPreBind(CycleState& state, PodInfoPtr pod, std::string node) const {
  for (const auto& [name, point, weight] : pre_bind_) {
    loop::Task<Status> task = point->PreBind(state, pod, node);
    Status status = co_await task;
    if (!status.ok()) {
      co_return status.IsRejected() ? std::move(status).From(name)
                                    : ErrorOf(name, "PreBind plugin", status);
    }
  }
  co_return Status();
}

loop::Task<Status> Profile::RunBind(CycleState& state, PodInfoPtr pod, std::string node) const {
  for (const auto& [name, point, weight] : bind_) {
    loop::Task<Status> task = point->Bind(state, pod, node);
    Status status = co_await task;
    if (status.skips()) {
      continue;
    }
    co_return status.ok() || status.IsRejected() ? std::move(status).From(name)
                                                 : ErrorOf(name, "Bind plugin", status);
  }
  co_return Status(Code::kSkip, std::vector<std::string>());
}

}  // namespace quadra::scheduler
