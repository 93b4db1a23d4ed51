#include "scheduler/plugins/dynamic_resources/state.h"

#include <algorithm>

#include <fmt/format.h>

namespace quadra::scheduler {

bool ClaimsOfPod::HasPending() const { return std::ranges::any_of(claims, &PodClaim::IsPending); }

ClaimsOfPod* FindClaims(const CycleState& state) {
  const auto* const mine = state.Read<DynamicResourcesState>(kDynamicResources);
  return mine == nullptr || mine->found->claims.empty() ? nullptr : mine->found.get();
}

std::vector<std::string> DevicesIn(const CycleState& state) {
  const ClaimsOfPod* const found = FindClaims(state);
  if (found == nullptr) {
    return {};
  }
  std::vector<std::string> devices;
  for (const PodClaim& each : found->claims) {
    const api::ResourceClaim& claim = each.decided == nullptr ? *each.claim : *each.decided;
    if (claim.status.allocation) {
      for (const auto& result : claim.status.allocation->devices.results) {
        devices.push_back(fmt::format("{}/{}/{}", result.driver, result.pool, result.device));
      }
    }
  }
  return devices;
}

std::uint64_t StepsIn(const CycleState& state) {
  const ClaimsOfPod* const found = FindClaims(state);
  if (found == nullptr) {
    return 0;
  }
  std::uint64_t steps = found->steps;
  for (const auto& [key, variant] : found->variants) {
    steps += variant.allocator == nullptr ? 0 : variant.allocator->steps();
  }
  return steps;
}

std::vector<api::NodeAllocatableResourceClaimStatus> NodeAllocatableOn(const CycleState& state,
                                                                       const std::string& node) {
  const ClaimsOfPod* const found = FindClaims(state);
  if (found == nullptr) {
    return {};
  }
  const auto grant = found->grants.find(node);
  return grant == found->grants.end() ? std::vector<api::NodeAllocatableResourceClaimStatus>()
                                      : grant->second.node_allocatable;
}

}  // namespace quadra::scheduler
