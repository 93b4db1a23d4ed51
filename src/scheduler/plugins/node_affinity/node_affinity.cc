#include "scheduler/plugins/node_affinity/node_affinity.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "api/vocabulary.h"
#include "placement/place.h"
#include "scheduler/plugins/arguments.h"
#include "scheduler/plugins/node_affinity/added_affinity.h"
#include "scheduler/plugins/node_rejects.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kNodeAffinity = "NodeAffinity";

using NodeNames = std::vector<std::string>;  // sorted, each once

// Preferred terms as selectors of their own.
struct WeighedSelectors final : StateData {
  std::vector<std::pair<std::int64_t, api::NodeSelector>> selectors;

  void Add(const api::List<api::PreferredSchedulingTerm>& terms) {
    for (const api::PreferredSchedulingTerm& term : terms) {
      selectors.emplace_back(term.weight,
                             api::NodeSelector{.node_selector_terms = {term.preference}});
    }
  }
  std::int64_t ScoreOf(const api::Node& node) const {
    std::int64_t score = 0;
    for (const auto& [weight, selector] : selectors) {
      const bool matches = api::Matches(selector, node.metadata.name, node.metadata.labels);
      score += matches ? weight : 0;
    }
    return score;
  }
  std::unique_ptr<StateData> Clone() const override {
    return std::make_unique<WeighedSelectors>(*this);
  }
};

const api::NodeAffinity* AffinityOf(const PodInfo& pod) {
  const auto& affinity = pod.pod.spec.affinity;
  return affinity && affinity->node_affinity ? &*affinity->node_affinity : nullptr;
}

// The nodes that the term names; absent: it names none.
std::optional<NodeNames> NamedBy(const api::NodeSelectorTerm& term) {
  std::optional<NodeNames> names;
  for (const api::NodeSelectorRequirement& each : term.match_fields) {
    if (each.key != "metadata.name" || each.op != "In") {
      continue;
    }
    NodeNames these(each.values.begin(), each.values.end());
    std::ranges::sort(these);
    these.erase(std::ranges::unique(these).begin(), these.end());
    if (names) {
      NodeNames both;
      std::ranges::set_intersection(*names, these, std::back_inserter(both));
      these = std::move(both);
    }
    names = std::move(these);
  }
  return names;
}

// The nodes that the alternatives name together; absent: one of them names none, so that any may do.
std::optional<NodeNames> NamedBy(const api::NodeSelector& selector) {
  NodeNames all;
  for (const api::NodeSelectorTerm& term : selector.node_selector_terms) {
    std::optional<NodeNames> names = NamedBy(term);
    if (!names) {
      return std::nullopt;
    }
    NodeNames either;
    std::ranges::set_union(all, *names, std::back_inserter(either));
    all = std::move(either);
  }
  return selector.node_selector_terms.empty() ? std::nullopt : std::optional(std::move(all));
}

class NodeAffinity final : public Plugin,
                           public PreFilterPlugin,
                           public FilterPlugin,
                           public PreScorePlugin,
                           public ScorePlugin {
 public:
  explicit NodeAffinity(api::NodeAffinity added) : added_(std::move(added)) {}

  std::string_view name() const override { return kNodeAffinity; }

  std::vector<EventHint> EventsToRegister() const override {
    return {
        {{EventResource::kNode, action::kAdd | action::kUpdateNodeLabel, {}},
         [this](const PodInfo& pod, const EventObjects& objects) { return Admits(pod, objects); }}};
  }

  PreFilterResult PreFilter(CycleState& /*state*/, const PodInfo& pod) const override {
    const api::NodeAffinity* const affinity = AffinityOf(pod);
    const bool requires_any = affinity != nullptr && affinity->required;
    if (!requires_any && !added_.required && pod.pod.spec.node_selector.empty()) {
      return {.status = Status(Code::kSkip, std::vector<std::string>()), .nodes = std::nullopt};
    }
    std::optional<NodeNames> names =
        requires_any ? NamedBy(*affinity->required) : std::optional<NodeNames>();
    if (names && names->empty()) {
      return {.status =
                  NodeRejects(Code::kUnschedulableAndUnresolvable, {"pod affinity terms conflict"}),
              .nodes = std::nullopt};
    }
    return {.status = {}, .nodes = std::move(names)};
  }

  Status Filter(CycleState& /*state*/, const PodInfo& pod, const NodeInfo& node) const override {
    static const Status kEnforced =
        NodeRejects(Code::kUnschedulableAndUnresolvable,
                    {"node(s) didn't match scheduler-enforced node affinity"});
    static const Status kOfPod = NodeRejects(Code::kUnschedulableAndUnresolvable,
                                             {"node(s) didn't match Pod's node affinity/selector"});
    if (!IsAdded(node.node())) {
      return kEnforced;
    }
    return placement::Selects(pod.pod, node.node()) ? Status() : kOfPod;
  }

  Status PreScore(CycleState& state, const PodInfo& pod,
                  std::span<const NodeInfo* const> /*nodes*/) const override {
    auto selectors = std::make_unique<WeighedSelectors>();
    selectors->Add(added_.preferred);
    if (const api::NodeAffinity* const affinity = AffinityOf(pod)) {
      selectors->Add(affinity->preferred);
    }
    if (selectors->selectors.empty()) {
      return {Code::kSkip, std::vector<std::string>()};
    }
    state.Write(kNodeAffinity, std::move(selectors));
    return {};
  }

  Status Score(CycleState& state, const PodInfo& /*pod*/, const NodeInfo& node,
               std::int64_t& score) const override {
    score = state.Read<WeighedSelectors>(kNodeAffinity)->ScoreOf(node.node());
    return {};
  }
  Status Normalize(CycleState& /*state*/, const PodInfo& /*pod*/,
                   std::span<NodeScore> scores) const override {
    NormalizeByMaximum(scores, false);
    return {};
  }

 private:
  bool IsAdded(const api::Node& node) const {
    return !added_.required ||
           api::Matches(*added_.required, node.metadata.name, node.metadata.labels);
  }

  // A new node, or one that the pod did not select before.
  bool Admits(const PodInfo& pod, const EventObjects& objects) const {
    return IsAdded(*objects.node_now) && placement::Selects(pod.pod, *objects.node_now) &&
           (objects.node_before == nullptr || !placement::Selects(pod.pod, *objects.node_before));
  }

  const api::NodeAffinity added_;  // to what all pods say
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeNodeAffinity(Handle& /*handle*/, const json::Value& args) {
  QUADRA_TRY(api::NodeAffinity added, ReadAddedAffinity(args));
  return std::make_unique<NodeAffinity>(std::move(added));
}

}  // namespace quadra::scheduler
