// No node takes the pod: a claim that keeps it from nodes is given up, so that it gets devices elsewhere.

#include <algorithm>
#include <utility>

#include "placement/pod_claims.h"
#include "scheduler/plugins/dynamic_resources/claim_writes.h"
#include "scheduler/plugins/dynamic_resources/dynamic_resources.h"

namespace quadra::scheduler {
namespace {

PostFilterResult Said(std::vector<std::string> reasons) {
  return {.status = Status(Code::kUnschedulable, std::move(reasons)), .nominated_node = {}};
}

// The event of the write wakes the pod.
loop::Task<void> GiveUp(client::Api& api, ClaimPtr claim, std::string uid) {
  loop::Task<ClaimPtr> clearing = Deallocate(api, claim, uid);
  co_await clearing;
}

}  // namespace

bool DynamicResources::MayFree(const api::ResourceClaim& claim, const api::Pod& pod) const {
  const auto& users = claim.status.reserved_for;
  return users.empty() || (users.size() == 1 && users[0].uid == pod.metadata.uid);
}

PostFilterResult DynamicResources::PostFilter(CycleState& state, const PodInfo& pod,
                                              const NodeStatuses& /*statuses*/) {
  const ClaimsOfPod* const found = FindClaims(state);
  if (found == nullptr) {
    return Said({});
  }
  std::vector<ClaimPtr> candidates;
  for (const std::size_t index : found->unavailable) {
    const PodClaim& each = found->claims[index];
    if (!each.is_extended && MayFree(*each.claim, pod.pod)) {
      candidates.push_back(each.claim);
    }
  }
  if (!candidates.empty()) {
    const ClaimPtr& claim = candidates[handle_.random.Below(candidates.size())];
    if (handle_.api != nullptr) {
      handle_.write(TakeBack(claim, GiveUp(*handle_.api, claim, pod.uid())));
    }
    return Said({"deallocation of ResourceClaim completed"});
  }
  const PodClaim& last = found->claims.back();
  if (last.is_extended && last.claim->metadata.name != placement::kExtendedClaimName) {
    if (handle_.api != nullptr) {
      handle_.write(DeleteClaim(*handle_.api, last.claim));
    }
    return Said({"deletion of ResourceClaim completed"});
  }
  return Said({});
}

}  // namespace quadra::scheduler
