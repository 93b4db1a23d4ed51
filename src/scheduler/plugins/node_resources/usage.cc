#include "scheduler/plugins/node_resources/usage.h"

#include <algorithm>

namespace quadra::scheduler {
namespace {

bool IsCpuOrMemory(std::string_view resource) { return resource == "cpu" || resource == "memory"; }

// What nearly all nodes have.
bool IsUsual(std::string_view resource) {
  return IsCpuOrMemory(resource) || resource == "ephemeral-storage";
}

}  // namespace

ScoredPod::ScoredPod(const std::vector<WeightedResource>& resources, const Amounts& requests,
                     Devices* devices) {
  for (const WeightedResource& each : resources) {
    Resource& made = resources_.emplace_back(
        Resource{.name = each.name, .weight = each.weight, .wanted = requests.Get(each.name)});
    if (devices != nullptr && !IsUsual(each.name) && made.wanted > 0) {
      made.served = ServedDevices::Of(*devices, each.name);
    }
  }
}

bool ScoredPod::WantsNothing() const {
  return std::ranges::all_of(resources_, [](const Resource& each) { return each.wanted == 0; });
}

Usage UsageOf(const NodeInfo& node, const ScoredPod::Resource& resource, bool non_zero) {
  if (!IsUsual(resource.name) && resource.wanted == 0) {
    return {};
  }
  const Amounts& taken =
      non_zero && IsCpuOrMemory(resource.name) ? node.non_zero_requested() : node.requested();
  const Usage usage{.allocated = taken.Get(resource.name),
                    .capacity = node.allocatable().Get(resource.name)};
  return usage.capacity == 0 && resource.served ? resource.served->On(node.name()) : usage;
}

}  // namespace quadra::scheduler
