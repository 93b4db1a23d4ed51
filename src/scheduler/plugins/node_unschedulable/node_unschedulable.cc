#include "scheduler/plugins/node_unschedulable/node_unschedulable.h"

#include "placement/place.h"
#include "scheduler/plugins/arguments.h"
#include "scheduler/plugins/node_rejects.h"

namespace quadra::scheduler {
namespace {

class NodeUnschedulable final : public Plugin, public FilterPlugin {
 public:
  explicit NodeUnschedulable(bool comparisons) : comparisons_(comparisons) {}

  std::string_view name() const override { return "NodeUnschedulable"; }

  std::vector<EventHint> EventsToRegister() const override {
    return {{{EventResource::kNode, action::kAdd | action::kUpdateNodeTaint}, MayHelpNode},
            {{EventResource::kTargetPod, action::kUpdatePodToleration},
             [this](const PodInfo& /*pod*/, const EventObjects& objects) {
               return ToleratesCordon(*objects.pod_now);
             }}};
  }

  Status Filter(CycleState& /*state*/, const PodInfo& pod, const NodeInfo& node) const override {
    static const Status kCordoned =
        NodeRejects(Code::kUnschedulableAndUnresolvable, {"node(s) were unschedulable"});
    return !node.node().spec.unschedulable || ToleratesCordon(pod) ? Status() : kCordoned;
  }

 private:
  bool ToleratesCordon(const PodInfo& pod) const {
    static const api::Taint kCordon{.key = "node.kubernetes.io/unschedulable",
                                    .value = "",
                                    .effect = "NoSchedule",
                                    .time_added = std::nullopt};
    return placement::Tolerates(pod.pod.spec.tolerations, kCordon, comparisons_);
  }

  static bool MayHelpNode(const PodInfo& /*pod*/, const EventObjects& objects) {
    const bool was_open =
        objects.node_before != nullptr && !objects.node_before->spec.unschedulable;
    return !was_open && !objects.node_now->spec.unschedulable;
  }

  const bool comparisons_;  // whether tolerations may compare with Lt and Gt
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeNodeUnschedulable(Handle& handle, const json::Value& args) {
  QUADRA_RETURN_IF_ERROR(RefuseArguments(args));
  return std::make_unique<NodeUnschedulable>(
      handle.gates.Enabled(api::Gate::kTaintTolerationComparisonOperators));
}

}  // namespace quadra::scheduler
