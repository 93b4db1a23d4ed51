#include "scheduler/plugins/node_name/node_name.h"

#include "scheduler/plugins/arguments.h"
#include "scheduler/plugins/node_rejects.h"

namespace quadra::scheduler {
namespace {

class NodeName final : public Plugin, public PreFilterPlugin, public FilterPlugin {
 public:
  std::string_view name() const override { return "NodeName"; }

  std::vector<EventHint> EventsToRegister() const override {
    return {{{EventResource::kNode, action::kAdd}, nullptr}};
  }

  PreFilterResult PreFilter(CycleState& /*state*/, const PodInfo& pod) const override {
    const std::string& wanted = pod.pod.spec.node_name;
    if (wanted.empty()) {
      return {};
    }
    return {.status = {}, .nodes = std::vector<std::string>{wanted}};
  }

  Status Filter(CycleState& /*state*/, const PodInfo& pod, const NodeInfo& node) const override {
    static const Status kOther = NodeRejects(Code::kUnschedulableAndUnresolvable,
                                             {"node(s) didn't match the requested node name"});
    const std::string& wanted = pod.pod.spec.node_name;
    return wanted.empty() || wanted == node.name() ? Status() : kOther;
  }
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeNodeName(Handle& /*handle*/, const json::Value& args) {
  QUADRA_RETURN_IF_ERROR(RefuseArguments(args));
  return std::make_unique<NodeName>();
}

}  // namespace quadra::scheduler
