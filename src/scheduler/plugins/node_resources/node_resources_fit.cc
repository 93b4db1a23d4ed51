#include "scheduler/plugins/node_resources/node_resources_fit.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "api/vocabulary.h"
#include "scheduler/devices/devices.h"
#include "scheduler/plugins/arguments.h"
#include "scheduler/plugins/node_resources/fit_amounts.h"
#include "scheduler/plugins/node_resources/fit_hints.h"
#include "scheduler/plugins/node_resources/scoring.h"
#include "scheduler/plugins/node_resources/usage.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kFit = "NodeResourcesFit";
constexpr std::string_view kFitScore = "NodeResourcesFit/score";

struct FitState final : StateData {
  WantedOthers others;
  std::unique_ptr<StateData> Clone() const override { return std::make_unique<FitState>(*this); }
};

// What counts of the pod in scores: as upstream, of its containers, whatever it says of itself as a
// whole.
Amounts ScoredRequests(const PodInfo& pod) {
  const auto add_up = [](const Amounts& requests, const Amounts& non_zero) {
    Amounts all = requests;
    all.milli_cpu = non_zero.milli_cpu;
    all.memory = non_zero.memory;
    return all;
  };
  if (!pod.pod.spec.resources) {
    return add_up(pod.requests, pod.non_zero_requests);
  }
  api::Pod containers = pod.pod;
  containers.spec.resources.reset();
  return add_up(Amounts::Of(placement::RequestsOnNode(containers).amounts),
                Amounts::Of(placement::NonZeroRequestsOnNode(containers).amounts));
}

class NodeResourcesFit final : public Plugin,
                               public PreFilterPlugin,
                               public FilterPlugin,
                               public PreScorePlugin,
                               public ScorePlugin {
 public:
  NodeResourcesFit(const Handle& handle, IgnoredResources ignored, Scoring scoring)
      : handle_(handle), ignored_(std::move(ignored)), scoring_(std::move(scoring)) {}

  std::string_view name() const override { return kFit; }
  std::vector<EventHint> EventsToRegister() const override { return FitEvents(handle_); }

  PreFilterResult PreFilter(CycleState& state, const PodInfo& pod) const override {
    auto wanted = std::make_unique<FitState>();
    Devices* const devices = ServingDevices();
    wanted->others = OthersOf(pod, ignored_, devices == nullptr ? nullptr : &devices->extended());
    state.Write(kFit, std::move(wanted));
    return {};
  }

  Status Filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) const override {
    const auto& wanted = *state.Read<FitState>(kFit);
    const Shortfall shortfall = ShortfallOf(pod, wanted.others, RoomOn(node));
    return shortfall ? StatusOf(shortfall) : Status();
  }

  Status PreScore(CycleState& state, const PodInfo& pod,
                  std::span<const NodeInfo* const> /*nodes*/) const override {
    state.Write(kFitScore, std::make_unique<ScoredPod>(scoring_.resources, ScoredRequests(pod),
                                                       ServingDevices()));
    return {};
  }

  Status Score(CycleState& state, const PodInfo& /*pod*/, const NodeInfo& node,
               std::int64_t& score) const override {
    score = ScoreOn(node, *state.Read<ScoredPod>(kFitScore));
    return {};
  }

 private:
  std::int64_t ScoreOn(const NodeInfo& node, const ScoredPod& pod) const;
  // Null where classes serve no resources.
  Devices* ServingDevices() const {
    return handle_.gates.Enabled(api::Gate::kDRAExtendedResource) ? &handle_.devices : nullptr;
  }

  const Handle& handle_;
  const IgnoredResources ignored_;
  const Scoring scoring_;
};

// The mean by weight. By ratio, resources that score nothing do not count.
std::int64_t NodeResourcesFit::ScoreOn(const NodeInfo& node, const ScoredPod& pod) const {
  const bool is_by_ratio = scoring_.strategy == ScoringStrategy::kRequestedToCapacityRatio;
  std::int64_t sum = 0;
  std::int64_t weights = 0;
  for (const ScoredPod::Resource& resource : pod.resources()) {
    const Usage usage = UsageOf(node, resource, true);
    if (usage.capacity == 0) {
      continue;
    }
    const std::int64_t scored = scoring_.ScoreOf(usage.allocated + resource.wanted, usage.capacity);
    if (!is_by_ratio || scored > 0) {
      sum += scored * resource.weight;
      weights += resource.weight;
    }
  }
  if (weights == 0) {
    return 0;
  }
  return is_by_ratio ? std::llround(static_cast<double>(sum) / static_cast<double>(weights))
                     : sum / weights;
}

quadra::Status CheckLabelNames(const Arguments& args, std::string_view member,
                               const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (const api::Problems problems = api::LabelKeyProblems(name); !problems.empty()) {
      return Fail(args.Wrong(member, problems.front()));
    }
  }
  return {};
}

Result<IgnoredResources> ReadIgnored(const Arguments& args) {
  QUADRA_TRY(const std::vector<std::string> names, args.Texts("ignoredResources"));
  QUADRA_TRY(const std::vector<std::string> groups, args.Texts("ignoredResourceGroups"));
  for (const std::string& group : groups) {
    if (group.find('/') != std::string::npos) {
      return Fail(args.Wrong("ignoredResourceGroups", "resource group name can't contain '/'"));
    }
  }
  QUADRA_RETURN_IF_ERROR(CheckLabelNames(args, "ignoredResources", names));
  QUADRA_RETURN_IF_ERROR(CheckLabelNames(args, "ignoredResourceGroups", groups));
  return IgnoredResources{.names = {names.begin(), names.end()},
                          .groups = {groups.begin(), groups.end()}};
}

}  // namespace

Result<std::unique_ptr<Plugin>> MakeNodeResourcesFit(Handle& handle, const json::Value& args) {
  QUADRA_TRY(const Arguments said,
             Arguments::Of(args, "NodeResourcesFitArgs",
                           {"ignoredResources", "ignoredResourceGroups", "scoringStrategy"}));
  QUADRA_TRY(IgnoredResources ignored, ReadIgnored(said));
  QUADRA_TRY(Scoring scoring, ReadScoring(said));
  return std::make_unique<NodeResourcesFit>(handle, std::move(ignored), std::move(scoring));
}

}  // namespace quadra::scheduler
