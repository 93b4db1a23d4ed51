#include "scheduler/plugins/pod_topology_spread/pod_topology_spread.h"

#include <array>
#include <utility>

#include "scheduler/plugins/pod_topology_spread/default_constraints.h"

namespace quadra::scheduler {
namespace {

api::TopologySpreadConstraint Preferred(std::string_view topology_key, std::int32_t max_skew) {
  api::TopologySpreadConstraint made;
  made.topology_key = topology_key;
  made.when_unsatisfiable = "ScheduleAnyway";
  made.max_skew = max_skew;
  return made;
}

}  // namespace

PodTopologySpread::PodTopologySpread(const Handle& handle, Args args)
    : handle_(handle), args_(std::move(args)) {}

Result<std::unique_ptr<Plugin>> MakePodTopologySpread(Handle& handle, const json::Value& args) {
  QUADRA_TRY(DefaultConstraints defaults, DefaultConstraints::Read(args));
  if (defaults.are_systems) {
    defaults.list = {Preferred(kHostnameKey, 3), Preferred("topology.kubernetes.io/zone", 5)};
  }
  return std::make_unique<PodTopologySpread>(
      handle, PodTopologySpread::Args{.default_constraints = std::move(defaults.list),
                                      .system_defaults = defaults.are_systems});
}

auto PodTopologySpread::ConstraintsOf(const api::Pod& pod, std::string_view action) const
    -> Result<Constraints> {
  const api::List<api::TopologySpreadConstraint>& own = pod.spec.topology_spread_constraints;
  if (!own.empty()) {
    return ReadConstraints(own, action, pod, handle_.gates);
  }
  QUADRA_TRY(Constraints constraints,
             ReadConstraints(args_.default_constraints, action, pod, handle_.gates));
  if (constraints.empty()) {
    return constraints;
  }
  const LabelQuery selector = handle_.snapshot.workloads().SelectorOf(pod);
  if (selector.SelectsEverything()) {
    return Constraints();
  }
  for (SpreadConstraint& each : constraints) {
    each.selector = selector;
  }
  return constraints;
}

}  // namespace quadra::scheduler
