#include "scheduler/plugins/scheduling_gates/scheduling_gates.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scheduler/plugins/arguments.h"

namespace quadra::scheduler {
namespace {

class SchedulingGates final : public Plugin, public PreEnqueuePlugin {
 public:
  std::string_view name() const override { return "SchedulingGates"; }

  std::vector<EventHint> EventsToRegister() const override {
    return {{{EventResource::kTargetPod, action::kUpdatePodSchedulingGatesEliminated}, nullptr}};
  }

  Status PreEnqueue(const PodInfo& pod) const override {
    if (pod.pod.spec.scheduling_gates.empty()) {
      return {};
    }
    std::vector<std::string_view> gates;
    for (const api::PodSchedulingGate& gate : pod.pod.spec.scheduling_gates) {
      gates.push_back(gate.name);
    }
    return {Code::kUnschedulableAndUnresolvable,
            fmt::format("waiting for scheduling gates: [{}]", fmt::join(gates, " "))};
  }
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeSchedulingGates(Handle& /*handle*/, const json::Value& args) {
  QUADRA_RETURN_IF_ERROR(RefuseArguments(args));
  return std::make_unique<SchedulingGates>();
}

}  // namespace quadra::scheduler
