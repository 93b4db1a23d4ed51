#include "scheduler/plugins/default_preemption/freed_devices.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "placement/pod_claims.h"

namespace quadra::scheduler {
namespace {

using Uids = std::set<std::string>;

bool IsUsedByAlone(const api::ResourceClaim& claim, const Uids& pods) {
  return std::ranges::all_of(claim.status.reserved_for,
                             [&](const auto& consumer) { return pods.contains(consumer.uid); });
}

// The claims that the pod holds.
std::vector<ClaimPtr> ClaimsHeldBy(const api::Pod& pod, const Devices& devices) {
  std::vector<ClaimPtr> claims = devices.ExtendedClaimsOf(pod);
  for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
    const auto name = placement::ResolveClaim(pod, entry);
    if (name && !name->name.empty()) {
      claims.push_back(devices.Find(pod.metadata.ns, name->name));
    }
  }
  std::erase_if(claims, [&](const ClaimPtr& claim) {
    return claim == nullptr || !claim->status.allocation || !placement::IsReservedFor(*claim, pod);
  });
  return claims;
}

}  // namespace

std::vector<std::vector<std::string>> FreedDevices(const Devices& devices,
                                                   const std::vector<PodInfoPtr>& pods) {
  Uids uids;
  for (const PodInfoPtr& each : pods) {
    uids.insert(each->uid());
  }
  std::set<std::string> told;
  std::vector<std::vector<std::string>> freed;
  for (const PodInfoPtr& each : pods) {
    std::vector<std::string>& own = freed.emplace_back();
    for (const ClaimPtr& claim : ClaimsHeldBy(each->pod, devices)) {
      const std::optional<api::AllocationResult>& given = claim->status.allocation;
      if (!given) {
        continue;
      }
      for (const auto& device : given->devices.results) {
        std::string name = fmt::format("{}/{}/{}", device.driver, device.pool, device.device);
        if (IsUsedByAlone(*claim, uids) && told.insert(name).second) {
          own.push_back(std::move(name));
        }
      }
    }
  }
  return freed;
}

}  // namespace quadra::scheduler
