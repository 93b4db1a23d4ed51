#include "scheduler/inquiry.h"

#include <algorithm>
#include <utility>

namespace quadra::scheduler {
namespace {

std::vector<const NodeInfo*> ByName(const Snapshot& snapshot) {
  std::vector<const NodeInfo*> nodes(snapshot.nodes().begin(), snapshot.nodes().end());
  std::ranges::sort(nodes, {}, [](const NodeInfo* node) { return node->name(); });
  return nodes;
}

class Inquirer {
 public:
  Inquirer(const Profile& profile, const Snapshot& snapshot, const PodInfo& pod)
      : profile_(profile), nodes_(ByName(snapshot)), pod_(pod) {}

  Inquiry Ask() {
    PreFilter();
    Filter();
    if (!found_.feasible.empty()) {
      PreScore();
      ScoreAll();
    }
    std::ranges::stable_sort(found_.feasible, std::ranges::greater(), &RatedNode::total);
    return std::move(found_);
  }

 private:
  void ScoreAll() {
    for (const WeightedPlugin& each : profile_.plugins()) {
      const auto* const scorer = dynamic_cast<const ScorePlugin*>(each.plugin.get());
      if (scorer != nullptr && !each.off.contains("score") &&
          !Skips(found_.pre_score, each.plugin->name())) {
        Score(each, *scorer);
      }
    }
  }

  static bool Skips(const std::vector<PluginVerdict>& verdicts, std::string_view plugin) {
    return std::ranges::any_of(verdicts, [&](const PluginVerdict& each) {
      return each.plugin == plugin && !each.status.ok();
    });
  }

  void PreFilter() {
    for (const WeightedPlugin& each : profile_.plugins()) {
      const auto* const point = dynamic_cast<const PreFilterPlugin*>(each.plugin.get());
      if (point == nullptr) {
        continue;
      }
      PreFilterResult said = point->PreFilter(found_.state, pod_);
      if (said.status.skips()) {
        found_.state.SkipFilter(each.plugin->name());
      }
      found_.pre_filter.push_back({.plugin = each.plugin->name(),
                                   .status = std::move(said.status),
                                   .nodes = std::move(said.nodes)});
    }
  }

  // Whether PreFilter lets the pod go there.
  bool IsOpen(const NodeInfo& node) const {
    return std::ranges::all_of(found_.pre_filter, [&](const PluginVerdict& each) {
      return each.status.skips() ||
             (each.status.ok() &&
              (!each.nodes || std::ranges::find(*each.nodes, node.name()) != each.nodes->end()));
    });
  }

  void Filter() {
    for (const NodeInfo* const node : nodes_) {
      RefusedNode refused{.node = node, .verdicts = {}};
      for (const WeightedPlugin& each : profile_.plugins()) {
        const auto* const point = dynamic_cast<const FilterPlugin*>(each.plugin.get());
        if (point == nullptr || Skips(found_.pre_filter, each.plugin->name())) {
          continue;
        }
        if (Status status = point->Filter(found_.state, pod_, *node); !status.ok()) {
          refused.verdicts.push_back(
              {.plugin = each.plugin->name(), .status = std::move(status), .nodes = std::nullopt});
        }
      }
      if (!refused.verdicts.empty()) {
        found_.refused.push_back(std::move(refused));
      } else if (IsOpen(*node)) {
        found_.feasible.push_back({.node = node, .scores = {}});
      }
    }
  }

  void PreScore() {
    std::vector<const NodeInfo*> nodes;
    nodes.reserve(found_.feasible.size());
    for (const RatedNode& each : found_.feasible) {
      nodes.push_back(each.node);
    }
    for (const WeightedPlugin& each : profile_.plugins()) {
      const auto* const point = dynamic_cast<const PreScorePlugin*>(each.plugin.get());
      if (point == nullptr) {
        continue;
      }
      if (Status status = point->PreScore(found_.state, pod_, nodes); !status.ok()) {
        found_.pre_score.push_back(
            {.plugin = each.plugin->name(), .status = std::move(status), .nodes = std::nullopt});
      }
    }
  }

  void Score(const WeightedPlugin& plugin, const ScorePlugin& scorer) {
    const std::string_view name = plugin.plugin->name();
    std::vector<NodeScore> scores;
    for (RatedNode& each : found_.feasible) {
      NodeScore& made = scores.emplace_back(NodeScore{.node = each.node});
      Status status = scorer.Score(found_.state, pod_, *each.node, made.score);
      if (!status.ok()) {
        return Fail(name, std::move(status));
      }
      each.scores.push_back({.plugin = name, .raw = made.score});
    }
    if (Status status = scorer.Normalize(found_.state, pod_, scores); !status.ok()) {
      return Fail(name, std::move(status));
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {
      found_.feasible[i].scores.back().score = scores[i].score;
      found_.feasible[i].total += scores[i].score * plugin.weight;
    }
  }

  void Fail(std::string_view plugin, Status status) {
    found_.failed.push_back({.plugin = plugin, .status = std::move(status), .nodes = std::nullopt});
  }

  const Profile& profile_;
  const std::vector<const NodeInfo*> nodes_;
  const PodInfo& pod_;
  Inquiry found_;
};

}  // namespace

Inquiry Inquire(const Profile& profile, const Snapshot& snapshot, const PodInfo& pod) {
  return Inquirer(profile, snapshot, pod).Ask();
}

}  // namespace quadra::scheduler
