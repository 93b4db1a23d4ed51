#include "scheduler/choice.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace quadra::scheduler {
namespace {

constexpr std::size_t kFewNodes = 100;
constexpr std::int64_t kLeastPercentage = 5;

std::vector<const NodeInfo*> Named(const Snapshot& snapshot,
                                   const std::vector<std::string>& names) {
  std::vector<const NodeInfo*> nodes;
  for (const std::string& name : names) {
    if (const NodeInfo* const node = snapshot.Find(name)) {
      nodes.push_back(node);
    }
  }
  return nodes;
}

}  // namespace

std::size_t EnoughNodes(std::size_t all, std::int32_t percentage) {
  if (all < kFewNodes) {
    return all;
  }
  const auto count = static_cast<std::int64_t>(all);
  const std::int64_t part =
      percentage != 0 ? percentage : std::max(kLeastPercentage, 50 - count / 125);
  return std::max(kFewNodes, static_cast<std::size_t>(count * part / 100));
}

auto NodeChooser::Filter(Profile& profile, std::span<const NodeInfo* const> nodes,
                         CycleState& state, const PodInfo& pod, Choice& choice) -> Nodes {
  // Where nobody scores, the first is as good as any.
  const std::size_t enough =
      profile.HasScores() ? EnoughNodes(nodes.size(), options_.percentage) : 1;
  Nodes feasible;
  for (std::size_t i = 0; i < nodes.size() && feasible.size() < enough; ++i) {
    const NodeInfo* const node = nodes[(next_start_ + i) % nodes.size()];
    Status status = profile.RunFiltersWithNominatedPods(state, pod, *node);
    if (status.ok()) {
      feasible.push_back(node);
      continue;
    }
    if (!status.IsRejected()) {
      choice.error = std::move(status);
      return {};
    }
    choice.diagnosis.Blame(status);
    choice.diagnosis.statuses.nodes.insert_or_assign(node->name(), std::move(status));
  }
  return feasible;
}

auto NodeChooser::FindFeasible(Profile& profile, const Snapshot& snapshot, CycleState& state,
                               const PodInfo& pod, Choice& choice) -> Nodes {
  const std::span<const NodeInfo* const> all = snapshot.nodes();
  PreFiltered before = profile.RunPreFilter(state, pod);
  Diagnosis& diagnosis = choice.diagnosis;
  diagnosis.unschedulable = before.plugins;
  if (!before.status.ok()) {
    if (before.status.IsRejected()) {
      diagnosis.pre_filter = before.status.Message();
      diagnosis.Blame(before.status);
      diagnosis.statuses.absent = std::move(before.status);
    } else {
      choice.error = std::move(before.status);
    }
    return {};
  }
  if (!pod.pod.status.nominated_node_name.empty()) {
    if (const NodeInfo* const nominated = snapshot.Find(pod.pod.status.nominated_node_name)) {
      Nodes feasible = Filter(profile, std::span(&nominated, 1), state, pod, choice);
      if (!feasible.empty()) {
        return feasible;
      }
      choice.error = {};  // told of below, if it lasts
    }
  }
  Nodes narrowed;
  if (before.nodes) {
    narrowed = Named(snapshot, *before.nodes);
    diagnosis.statuses.absent = Status(
        Code::kUnschedulableAndUnresolvable,
        fmt::format("node(s) didn't satisfy plugin(s) [{}]", fmt::join(before.plugins, " ")));
  }
  Nodes feasible = Filter(profile, before.nodes ? narrowed : all, state, pod, choice);
  next_start_ = (next_start_ + feasible.size() + diagnosis.statuses.nodes.size()) % all.size();
  return feasible;
}

const NodeInfo* NodeChooser::PickBest(const Profile& profile, const Nodes& feasible,
                                      CycleState& state, const PodInfo& pod, Choice& choice) {
  std::vector<ScoredNode> scored;
  if (Status status = profile.RunScores(state, pod, feasible, scored); !status.ok()) {
    choice.error = std::move(status);
    return nullptr;
  }
  const std::int64_t best = std::ranges::max(scored, {}, &ScoredNode::total).total;
  std::erase_if(scored, [&](const ScoredNode& each) { return each.total < best; });
  return scored[options_.random.Below(scored.size())].node;
}

Choice NodeChooser::Choose(Profile& profile, const Snapshot& snapshot, CycleState& state,
                           const PodInfo& pod) {
  Choice choice;
  choice.diagnosis.nodes = snapshot.nodes().size();
  if (choice.diagnosis.nodes == 0) {
    choice.error =
        Status(Code::kUnschedulableAndUnresolvable, "no nodes available to schedule pods");
    return choice;
  }
  const Nodes feasible = FindFeasible(profile, snapshot, state, pod, choice);
  choice.feasible = feasible.size();
  choice.evaluated = feasible.size() + choice.diagnosis.statuses.nodes.size();
  if (feasible.size() == 1) {
    choice.node = feasible.front();
  } else if (!feasible.empty()) {
    choice.node = PickBest(profile, feasible, state, pod, choice);
  }
  return choice;
}

}  // namespace quadra::scheduler
