#include "scheduler/plugins/node_ports/node_ports.h"

#include "scheduler/plugins/arguments.h"
#include "scheduler/plugins/node_rejects.h"

namespace quadra::scheduler {
namespace {

class NodePorts final : public Plugin, public PreFilterPlugin, public FilterPlugin {
 public:
  std::string_view name() const override { return "NodePorts"; }

  // Ports of pods never change.
  std::vector<EventHint> EventsToRegister() const override {
    return {{{EventResource::kAssignedPod, action::kDelete, {}}, FreesPorts},
            {{EventResource::kNode, action::kAdd, {}}, nullptr}};
  }

  PreFilterResult PreFilter(CycleState& /*state*/, const PodInfo& pod) const override {
    return {
        .status = pod.ports.empty() ? Status(Code::kSkip, std::vector<std::string>()) : Status(),
        .nodes = std::nullopt};
  }

  Status Filter(CycleState& /*state*/, const PodInfo& pod, const NodeInfo& node) const override {
    static const Status kTaken = NodeRejects(
        Code::kUnschedulable, {"node(s) didn't have free ports for the requested pod ports"});
    return PortsConflict(pod.ports, node.used_ports()) ? kTaken : Status();
  }

 private:
  static bool FreesPorts(const PodInfo& pod, const EventObjects& objects) {
    const PodInfo& gone = *objects.pod_before;
    const bool was_placed =
        !gone.pod.spec.node_name.empty() || !gone.pod.status.nominated_node_name.empty();
    return was_placed && PortsConflict(pod.ports, {gone.ports.begin(), gone.ports.end()});
  }
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeNodePorts(Handle& /*handle*/, const json::Value& args) {
  QUADRA_RETURN_IF_ERROR(RefuseArguments(args));
  return std::make_unique<NodePorts>();
}

}  // namespace quadra::scheduler
