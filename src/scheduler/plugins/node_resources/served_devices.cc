#include "scheduler/plugins/node_resources/served_devices.h"

namespace quadra::scheduler {
namespace {

bool IsHeld(const inventory::Snapshot& cluster, const inventory::Candidate& candidate) {
  return cluster.held().Find({.driver = candidate.pool->driver,
                              .pool = candidate.pool->name,
                              .device = candidate.slice->devices[candidate.index].name}) != nullptr;
}

}  // namespace

std::optional<ServedDevices> ServedDevices::Of(Devices& devices, const std::string& resource) {
  const std::string_view name = devices.extended().ClassOf(resource);
  const inventory::Snapshot& cluster = devices.Take();
  const auto found = cluster.classes().find(name);
  if (name.empty() || found == cluster.classes().end()) {
    return std::nullopt;
  }
  return ServedDevices(devices, devices.verdicts().Of(cluster, found->second->spec.selectors, {}));
}

Usage ServedDevices::On(const std::string& node) const {
  const inventory::Snapshot& cluster = devices_->Take();
  const inventory::NodeView* const view = cluster.ViewOf(node);
  Usage usage;
  if (view == nullptr) {
    return usage;
  }
  for (const inventory::Candidate& candidate : view->candidates) {
    if (candidate.placed != inventory::Candidate::Placed::kHere) {
      continue;
    }
    switch (verdicts_->At(candidate.row)) {
      case selector::Verdict::kMatch:
        ++usage.capacity;
        usage.allocated += IsHeld(cluster, candidate) ? 1 : 0;
        break;
      case selector::Verdict::kNo:
        break;
      case selector::Verdict::kError:
        return {};
    }
  }
  return usage;
}

}  // namespace quadra::scheduler
