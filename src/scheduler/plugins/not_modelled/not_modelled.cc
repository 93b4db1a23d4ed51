#include "scheduler/plugins/not_modelled/not_modelled.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "scheduler/plugins/arguments.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kRemedy =
    "give the pod the schedulerName of a scheduler that looks at it, e.g. kube-scheduler under "
    "another name";

// Empty where all of the pod is looked at.
std::string NotLookedAt(const api::PodSpec& spec) {
  const auto* const volume = std::ranges::find_if(spec.volumes, [](const api::Volume& each) {
    return each.persistent_volume_claim || each.ephemeral;
  });
  if (volume != spec.volumes.end()) {
    return volume->persistent_volume_claim
               ? fmt::format(
                     "volume {} of the pod is PersistentVolumeClaim {}, and this scheduler "
                     "does not look at volumes",
                     volume->name, volume->persistent_volume_claim->claim_name)
               : fmt::format(
                     "volume {} of the pod is ephemeral, with a PersistentVolumeClaim of "
                     "its own, and this scheduler does not look at volumes",
                     volume->name);
  }
  if (spec.scheduling_group && spec.scheduling_group->pod_group_name) {
    return fmt::format("the pod belongs to PodGroup {}, and this scheduler does not look at groups",
                       *spec.scheduling_group->pod_group_name);
  }
  return "";
}

class NotModelled final : public Plugin, public PreFilterPlugin {
 public:
  std::string_view name() const override { return "NotModelled"; }

  PreFilterResult PreFilter(CycleState& /*state*/, const PodInfo& pod) const override {
    std::string what = NotLookedAt(pod.pod.spec);
    if (what.empty()) {
      return {};
    }
    what += fmt::format("; {}", kRemedy);
    return {.status = Status(Code::kUnschedulableAndUnresolvable, what)
                          .Because({.code = reasons::Code::kNotModelled, .message = what}),
            .nodes = std::nullopt};
  }
};

}  // namespace

Result<std::unique_ptr<Plugin>> MakeNotModelled(Handle& /*handle*/, const json::Value& args) {
  QUADRA_RETURN_IF_ERROR(RefuseArguments(args));
  return std::make_unique<NotModelled>();
}

}  // namespace quadra::scheduler
