#include "inventory/taints.h"

namespace quadra::inventory {
namespace {

bool Selects(const std::optional<std::string>& wanted, const std::string& value) {
  return !wanted || *wanted == value;
}

}  // namespace

bool KeepsAway(const api::DeviceTaint& taint) {
  return taint.effect == "NoSchedule" || taint.effect == "NoExecute";
}

bool ConcernsPool(const api::DeviceTaintRule& rule, const Slice& slice) {
  const auto& wanted = rule.spec.device_selector;
  return wanted && Selects(wanted->driver, slice.driver) && Selects(wanted->pool, slice.pool);
}

std::vector<api::DeviceTaint> TaintsOf(const Slice& slice, std::size_t device,
                                       std::span<const api::DeviceTaintRule> rules) {
  const api::List<api::DeviceTaint>& published = slice.devices[device].shape->taints;
  std::vector<api::DeviceTaint> taints(published.begin(), published.end());
  for (const api::DeviceTaintRule& rule : rules) {
    if (ConcernsPool(rule, slice) &&
        Selects(rule.spec.device_selector->device, slice.devices[device].name)) {
      taints.push_back(rule.spec.taint);
    }
  }
  return taints;
}

}  // namespace quadra::inventory
