// What drivers prepare before a pod is bound that uses their devices: the scheduler waits for it, as
// long as it may take.

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "placement/pod_claims.h"
#include "scheduler/plugins/dynamic_resources/dynamic_resources.h"

namespace quadra::scheduler {
namespace {

bool HasConditions(const api::ResourceClaim& claim) {
  return claim.status.allocation &&
         std::ranges::any_of(claim.status.allocation->devices.results,
                             [](const auto& result) { return !result.binding_conditions.empty(); });
}

const api::Condition* FindTrue(const api::AllocatedDeviceStatus& device, const std::string& type) {
  const auto* const found = std::ranges::find(device.conditions, type, &api::Condition::type);
  return found != device.conditions.end() && found->status == "True" ? found : nullptr;
}

// Of the devices up to the first that is not ready; empty where none has failed.
std::string FailureOf(const api::ResourceClaim& claim) {
  if (!claim.status.allocation) {
    return "";
  }
  for (const auto& result : claim.status.allocation->devices.results) {
    const auto& statuses = claim.status.devices;
    const auto* const device = std::ranges::find_if(statuses, [&](const auto& each) {
      return each.driver == result.driver && each.pool == result.pool &&
             each.device == result.device;
    });
    if (result.binding_conditions.empty()) {
      continue;
    }
    if (device == statuses.end()) {
      return "";
    }
    for (const std::string& type : result.binding_failure_conditions) {
      if (const api::Condition* const failed = FindTrue(*device, type)) {
        return fmt::format("device binding failed: claim={}, reason={}, message=\"{}\"",
                           claim.metadata.name, failed->reason, failed->message);
      }
    }
    if (!std::ranges::all_of(result.binding_conditions, [&](const std::string& type) {
          return FindTrue(*device, type) != nullptr;
        })) {
      return "";
    }
  }
  return "";
}

}  // namespace

bool DynamicResources::FollowsBindingConditions() const {
  return inventory::FeaturesOf(handle_.gates).binding_conditions;
}

bool DynamicResources::IsTimedOut(const api::ResourceClaim& claim) const {
  const std::optional<api::AllocationResult>& given = claim.status.allocation;
  const std::optional<Time> since = given ? given->allocation_timestamp : std::nullopt;
  return handle_.api != nullptr && since && HasConditions(claim) &&
         *since + args_.binding_timeout < handle_.api->loop().Now();
}

Status DynamicResources::ReadyForBinding(ClaimsOfPod& found, bool& ready) const {
  ready = false;
  for (PodClaim& each : found.claims) {
    const api::ObjectMeta& metadata = each.claim->metadata;
    if (!each.claim->status.allocation) {
      continue;  // device plugins serve it
    }
    ClaimPtr now = devices_.Find(metadata.ns, metadata.name);
    if (now == nullptr) {
      return {Code::kError,
              fmt::format("could not find ResourceClaim \"{}/{}\"", metadata.ns, metadata.name)};
    }
    each.claim = std::move(now);
    if (!each.claim->status.allocation) {
      return {};
    }
    if (std::string failure = FailureOf(*each.claim); !failure.empty()) {
      return {Code::kError, std::move(failure)};
    }
    if (!placement::AwaitedConditions(*each.claim).empty()) {
      return IsTimedOut(*each.claim)
                 ? Status(Code::kError, fmt::format("device binding timeout: claim={}",
                                                    each.claim->metadata.name))
                 : Status();
    }
  }
  ready = true;
  return {};
}

Time DynamicResources::NextTimeout(const ClaimsOfPod& found, Time end) const {
  constexpr std::chrono::microseconds kPast{1};
  for (const PodClaim& each : found.claims) {
    const auto& allocation = each.claim->status.allocation;
    if (allocation && allocation->allocation_timestamp &&
        !placement::AwaitedConditions(*each.claim).empty()) {
      end = std::min(end, *allocation->allocation_timestamp + args_.binding_timeout + kPast);
    }
  }
  return end;
}

loop::Task<Status> DynamicResources::AwaitConditions(std::shared_ptr<ClaimsOfPod> found,
                                                     PodInfoPtr pod, std::string node) {
  const bool waits =
      FollowsBindingConditions() && std::ranges::any_of(found->claims, [](const PodClaim& each) {
        return HasConditions(*each.claim);
      });
  if (!waits) {
    co_return Status();
  }
  handle_.tell(pod->pod, "BindingConditionsPending",
               fmt::format("waiting for binding conditions for device on node {}", node));
  if (handle_.surroundings != nullptr) {
    handle_.surroundings->Nominate(pod, node);
  }
  std::vector<std::string> keys;
  for (const PodClaim& each : found->claims) {
    keys.push_back(inventory::ClaimKey(*each.claim));
  }
  const Time end = handle_.api->loop().Now() + args_.binding_timeout;
  for (;;) {
    bool ready = false;
    Status status = ReadyForBinding(*found, ready);
    if (ready || !status.ok()) {
      co_return status;
    }
    const Time now = handle_.api->loop().Now();
    if (now >= end) {
      co_return Status(Code::kError, "device binding timeout: context deadline exceeded");
    }
    loop::Task<void> waiting = AwaitTold(keys, NextTimeout(*found, end) - now);
    co_await waiting;
  }
}

}  // namespace quadra::scheduler
