#include "placement/reservation.h"

#include <algorithm>

namespace quadra::placement {

bool IsReservedFor(const api::ResourceClaim& claim, const api::Pod& pod) {
  return std::ranges::any_of(claim.status.reserved_for, [&](const auto& consumer) {
    return consumer.resource == "pods" && consumer.name == pod.metadata.name &&
           consumer.uid == pod.metadata.uid;
  });
}

bool CanBeReservedFor(const api::ResourceClaim& claim, const api::Pod& pod) {
  return claim.status.reserved_for.size() < kMostConsumers || IsReservedFor(claim, pod);
}

bool Reserve(api::ResourceClaim& claim, const api::Pod& pod) {
  if (IsReservedFor(claim, pod)) {
    return false;
  }
  claim.status.reserved_for.push_back(
      {.api_group = "", .resource = "pods", .name = pod.metadata.name, .uid = pod.metadata.uid});
  return true;
}

void AddFinalizer(api::ResourceClaim& claim) {
  auto& finalizers = claim.metadata.finalizers;
  if (std::ranges::find(finalizers, kDeleteProtection) == finalizers.end()) {
    finalizers.push_back(std::string(kDeleteProtection));
  }
}

}  // namespace quadra::placement
