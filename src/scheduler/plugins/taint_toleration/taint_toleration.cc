#include "scheduler/plugins/taint_toleration/taint_toleration.h"

#include <algorithm>

#include "placement/place.h"
#include "scheduler/plugins/arguments.h"
#include "scheduler/plugins/node_rejects.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kPreferNoSchedule = "PreferNoSchedule";

class TaintToleration final : public Plugin, public FilterPlugin, public ScorePlugin {
 public:
  explicit TaintToleration(bool comparisons) : comparisons_(comparisons) {}

  std::string_view name() const override { return "TaintToleration"; }

  std::vector<EventHint> EventsToRegister() const override {
    return {
        {{EventResource::kNode, action::kAdd | action::kUpdateNodeTaint, {}},
         [this](const PodInfo& pod, const EventObjects& objects) { return Admits(pod, objects); }},
        {{EventResource::kTargetPod, action::kUpdatePodToleration, {}}, nullptr}};
  }

  Status Filter(CycleState& /*state*/, const PodInfo& pod, const NodeInfo& node) const override {
    static const Status kTainted =
        NodeRejects(Code::kUnschedulableAndUnresolvable, {"node(s) had untolerated taint(s)"});
    return placement::ToleratesTaintsOf(pod.pod, node.node(), comparisons_) ? Status() : kTainted;
  }

  Status Score(CycleState& /*state*/, const PodInfo& pod, const NodeInfo& node,
               std::int64_t& score) const override {
    score = std::ranges::count_if(node.node().spec.taints, [&](const api::Taint& taint) {
      return taint.effect == kPreferNoSchedule &&
             !placement::Tolerates(pod.pod.spec.tolerations, taint, comparisons_);
    });
    return {};
  }
  Status Normalize(CycleState& /*state*/, const PodInfo& /*pod*/,
                   std::span<NodeScore> scores) const override {
    NormalizeByMaximum(scores, true);
    return {};
  }

 private:
  // A new node, or one whose taints kept the pod away, and do no longer.
  bool Admits(const PodInfo& pod, const EventObjects& objects) const {
    const auto tolerates = [&](const api::Node& node) {
      return placement::ToleratesTaintsOf(pod.pod, node, comparisons_);
    };
    const bool did = objects.node_before != nullptr && tolerates(*objects.node_before);
    return !did && tolerates(*objects.node_now);
  }

  const bool comparisons_;  // whether tolerations may compare with Lt and Gt
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeTaintToleration(Handle& handle, const json::Value& args) {
  QUADRA_RETURN_IF_ERROR(RefuseArguments(args));
  return std::make_unique<TaintToleration>(
      handle.gates.Enabled(api::Gate::kTaintTolerationComparisonOperators));
}

}  // namespace quadra::scheduler
