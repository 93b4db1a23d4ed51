#include "placement/binding_conditions.h"

#include <algorithm>

#include <fmt/format.h>

namespace quadra::placement {
namespace {

// Null where the driver has said nothing of the device.
const api::AllocatedDeviceStatus* StatusOf(const api::ResourceClaim& claim,
                                           const api::DeviceRequestAllocationResult& result) {
  const auto& devices = claim.status.devices;
  const auto* found = std::ranges::find_if(devices, [&](const api::AllocatedDeviceStatus& each) {
    return each.device == result.device && each.driver == result.driver && each.pool == result.pool;
  });
  return found == devices.end() ? nullptr : found;
}

bool IsTrue(const api::List<api::Condition>& conditions, const std::string& type) {
  const auto* found = std::ranges::find(conditions, type, &api::Condition::type);
  return found != conditions.end() && found->status == "True";
}

// Empty where none of the device's failure conditions is true.
std::string FailureOf(const api::DeviceRequestAllocationResult& result,
                      const api::AllocatedDeviceStatus& status) {
  for (const std::string& failure : result.binding_failure_conditions) {
    const auto* found = std::ranges::find(status.conditions, failure, &api::Condition::type);
    if (found != status.conditions.end() && found->status == "True") {
      return fmt::format(
          "device {}/{}/{} has the binding failure condition {} (reason {}, "
          "message \"{}\")",
          result.driver, result.pool, result.device, failure, found->reason, found->message);
    }
  }
  return "";
}

}  // namespace

// Devices are looked at in order, up to one that is not ready yet.
std::string WhyBindingFailed(const api::ResourceClaim& claim) {
  if (!claim.status.allocation) {
    return "";
  }
  for (const auto& result : claim.status.allocation->devices.results) {
    if (result.binding_conditions.empty()) {
      continue;
    }
    const api::AllocatedDeviceStatus* status = StatusOf(claim, result);
    if (status == nullptr) {
      return "";
    }
    if (std::string failure = FailureOf(result, *status); !failure.empty()) {
      return failure;
    }
    if (!std::ranges::all_of(result.binding_conditions, [&](const std::string& each) {
          return IsTrue(status->conditions, each);
        })) {
      return "";
    }
  }
  return "";
}

std::vector<std::string> AwaitedConditions(const api::ResourceClaim& claim) {
  std::vector<std::string> awaited;
  if (!claim.status.allocation) {
    return awaited;
  }
  for (const auto& result : claim.status.allocation->devices.results) {
    const api::AllocatedDeviceStatus* status = StatusOf(claim, result);
    for (const std::string& condition : result.binding_conditions) {
      if (status == nullptr || !IsTrue(status->conditions, condition)) {
        awaited.push_back(fmt::format("{} of device {}/{}/{}", condition, result.driver,
                                      result.pool, result.device));
      }
    }
  }
  return awaited;
}

}  // namespace quadra::placement
