// What may make a pod schedulable that was refused here.

#include <algorithm>

#include "placement/pod_claims.h"
#include "scheduler/plugins/dynamic_resources/dynamic_resources.h"

namespace quadra::scheduler {
namespace {

bool HasDevices(const api::ResourceClaim& claim) { return claim.status.allocation.has_value(); }

bool WantsAll(const api::DeviceRequest& request) {
  const auto is_all = [](const auto& each) { return each.allocation_mode == "All"; };
  return (request.exactly && is_all(*request.exactly)) ||
         std::ranges::any_of(request.first_available, is_all);
}

}  // namespace

std::vector<EventHint> DynamicResources::EventsToRegister() const {
  using enum EventResource;
  std::vector<EventHint> events = {
      {{kNode, action::kAdd | action::kUpdateNodeLabel | action::kUpdateNodeAllocatable}, nullptr},
      {{kResourceClaim, action::kAdd | action::kUpdate | action::kDelete},
       [this](const PodInfo& pod, const EventObjects& objects) {
         return HelpsAfterClaimChange(pod, objects);
       }},
      {{kTargetPod, action::kUpdatePodGeneratedResourceClaim},
       [this](const PodInfo& /*pod*/, const EventObjects& objects) {
         return HelpsAfterOwnChange(objects);
       }},
      {{kDeviceClass, action::kAdd | action::kUpdate}, nullptr},
      {{kResourceSlice, action::kAdd | action::kUpdate}, nullptr}};
  if (handle_.strict) {
    return events;
  }
  events.push_back({{kAssignedPod, action::kAdd | action::kDelete},
                    [this](const PodInfo& pod, const EventObjects& objects) {
                      return HelpsAfterSharersChange(pod, objects);
                    }});
  events.push_back(
      {{kResourceSlice, action::kDelete},
       [this](const PodInfo& pod, const EventObjects& /*objects*/) { return WantsAllOfAny(pod); }});
  // An older class may serve an extended resource again.
  events.push_back({{kDeviceClass, action::kDelete}, nullptr});
  if (handle_.gates.Enabled(api::Gate::kDRANodeAllocatableResources)) {
    // It may have been refused for lack of cpu or memory, of the node or of what it allows itself.
    events.push_back({{kAssignedPod, action::kDelete | action::kUpdatePodScaleDown}, nullptr});
    events.push_back(
        {{kTargetPod, action::kUpdatePodScaleDown | action::kUpdatePodScaleUp}, nullptr});
  }
  return events;
}

bool DynamicResources::HelpsAfterClaimChange(const PodInfo& pod,
                                             const EventObjects& objects) const {
  const api::ResourceClaim* const before = objects.claim_before;
  const api::ResourceClaim* const now = objects.claim_now;
  if (now == nullptr) {
    return HasDevices(*before);
  }
  const reasons::OrRefusal<std::vector<ClaimPtr>> claims = ClaimsOf(pod.pod);
  if (!claims) {
    return false;
  }
  if (before != nullptr && HasDevices(*before) && !HasDevices(*now)) {
    return true;
  }
  const bool is_own = std::ranges::any_of(
      *claims, [&](const ClaimPtr& claim) { return claim->metadata.uid == now->metadata.uid; });
  return is_own && (before == nullptr || before->status != now->status);
}

// With fewer devices around those that are wanted may all be free.
bool DynamicResources::WantsAllOfAny(const PodInfo& pod) const {
  const reasons::OrRefusal<std::vector<ClaimPtr>> claims = ClaimsOf(pod.pod);
  return claims && std::ranges::any_of(*claims, [](const ClaimPtr& claim) {
           return std::ranges::any_of(claim->spec.devices.requests, WantsAll);
         });
}

bool DynamicResources::HelpsAfterOwnChange(const EventObjects& objects) const {
  return ClaimsOf(objects.pod_now->pod).has_value();
}

// While a pod that shares a claim with this one was being bound, the claim was not to be used; by now
// that pod is bound, or it did not come to that.
bool DynamicResources::HelpsAfterSharersChange(const PodInfo& pod,
                                               const EventObjects& objects) const {
  const PodInfo& other = objects.pod_now == nullptr ? *objects.pod_before : *objects.pod_now;
  const reasons::OrRefusal<std::vector<ClaimPtr>> claims = ClaimsOf(pod.pod);
  return claims && std::ranges::any_of(*claims, [&](const ClaimPtr& claim) {
           return placement::EntryFor(*claim, other.pod) != nullptr;
         });
}

}  // namespace quadra::scheduler
