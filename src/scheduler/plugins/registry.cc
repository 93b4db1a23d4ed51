#include "scheduler/plugins/registry.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "scheduler/plugins/default_binder/default_binder.h"
#include "scheduler/plugins/default_preemption/default_preemption.h"
#include "scheduler/plugins/dynamic_resources/dynamic_resources.h"
#include "scheduler/plugins/image_locality/image_locality.h"
#include "scheduler/plugins/inter_pod_affinity/inter_pod_affinity.h"
#include "scheduler/plugins/node_affinity/node_affinity.h"
#include "scheduler/plugins/node_declared_features/node_declared_features.h"
#include "scheduler/plugins/node_name/node_name.h"
#include "scheduler/plugins/node_ports/node_ports.h"
#include "scheduler/plugins/node_resources/balanced_allocation.h"
#include "scheduler/plugins/node_resources/node_resources_fit.h"
#include "scheduler/plugins/node_unschedulable/node_unschedulable.h"
#include "scheduler/plugins/not_modelled/not_modelled.h"
#include "scheduler/plugins/pod_topology_spread/pod_topology_spread.h"
#include "scheduler/plugins/priority_sort/priority_sort.h"
#include "scheduler/plugins/scheduling_gates/scheduling_gates.h"
#include "scheduler/plugins/taint_toleration/taint_toleration.h"

namespace quadra::scheduler {
namespace {

using Made = Result<std::unique_ptr<Plugin>>;

constexpr auto kPlugins = std::to_array<PluginRow>({
    {.name = "SchedulingGates", .make = MakeSchedulingGates},
    {.name = "PrioritySort", .make = MakePrioritySort},
    {.name = "NodeName", .make = MakeNodeName},
    {.name = "NodeUnschedulable", .make = MakeNodeUnschedulable},
    {.name = "TaintToleration", .weight = 3, .make = MakeTaintToleration},
    {.name = "NodeAffinity", .weight = 2, .make = MakeNodeAffinity},
    {.name = "NodePorts", .make = MakeNodePorts},
    {.name = "NodeResourcesFit", .make = MakeNodeResourcesFit},
    {.name = "NotModelled", .make = MakeNotModelled},
    {.name = PodTopologySpread::kName, .weight = 2, .make = MakePodTopologySpread},
    {.name = InterPodAffinity::kName, .weight = 2, .make = MakeInterPodAffinity},
    {.name = "DynamicResources", .weight = 2, .make = &DynamicResources::Make},
    {.name = "DefaultPreemption", .make = MakeDefaultPreemption},
    {.name = "NodeResourcesBalancedAllocation", .make = MakeBalancedAllocation},
    {.name = "ImageLocality", .make = MakeImageLocality},
    {.name = "DefaultBinder", .make = MakeDefaultBinder},
    {.name = "NodeDeclaredFeatures", .make = MakeNodeDeclaredFeatures},
});

}  // namespace

std::span<const PluginRow> AllPlugins() { return kPlugins; }

const PluginRow* FindPlugin(std::string_view name) {
  const auto* const found = std::ranges::find(kPlugins, name, &PluginRow::name);
  return found == kPlugins.end() ? nullptr : found;
}

Result<std::vector<WeightedPlugin>> MakePlugins(const ProfileConfig& profile, Handle& handle) {
  static const json::Value kNoArgs;
  std::vector<WeightedPlugin> plugins;
  for (const PluginChoice& choice : profile.plugins) {
    const auto args = profile.args.find(choice.name);
    const PluginRow& row = *FindPlugin(choice.name);
    Made made = row.make(handle, args == profile.args.end() ? kNoArgs : args->second);
    if (!made) {
      Error error = std::move(made).error();
      error.field = fmt::format("pluginConfig {}.{}", choice.name, error.field);
      return Fail(std::move(error));
    }
    plugins.push_back({.plugin = *std::move(made),
                       .weight = choice.weight > 0 ? choice.weight : row.weight,
                       .off = choice.off});
  }
  return plugins;
}

}  // namespace quadra::scheduler
