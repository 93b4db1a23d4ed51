// The devices that a pod gets on its node count as taken from here on; and what is undone where it does
// not come to be bound.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "placement/pod_claims.h"
#include "scheduler/framework/lost_answers.h"
#include "scheduler/plugins/dynamic_resources/claim_writes.h"
#include "scheduler/plugins/dynamic_resources/dynamic_resources.h"

namespace quadra::scheduler {
namespace {

ClaimPtr Decided(const api::ResourceClaim& claim, api::AllocationResult allocation) {
  auto decided = std::make_shared<api::ResourceClaim>(claim);
  placement::AddFinalizer(*decided);
  decided->status.allocation = std::move(allocation);
  return decided;
}

// `allocations` are those of the claims that are asked for, in their order.
void Decide(const Variant& variant, std::vector<api::AllocationResult> allocations,
            std::vector<PodClaim>& claims) {
  std::size_t next = 0;
  for (PodClaim& each : claims) {
    if (each.IsPending() && (!each.is_extended || variant.extended)) {
      each.decided = Decided(each.is_extended ? *variant.extended : *each.claim,
                             std::move(allocations[next++]));
    }
  }
}

bool HasPendingOfItsOwn(const ClaimsOfPod& found) {
  return std::ranges::any_of(
      found.claims, [](const PodClaim& each) { return each.IsPending() && !each.is_extended; });
}

}  // namespace

Status DynamicResources::Reserve(CycleState& state, const PodInfo& /*pod*/,
                                 const std::string& node) {
  ClaimsOfPod* const found = FindClaims(state);
  if (found == nullptr || !found->HasPending()) {
    return {};
  }
  const auto granted = found->grants.find(node);
  if (granted == found->grants.end()) {
    // Device plugins of the node may serve all that the pod wants.
    return HasPendingOfItsOwn(*found) ? Status(Code::kError, "claim allocation not found for node")
                                      : Status();
  }
  Grant& grant = granted->second;
  Variant& variant = *grant.variant;
  if (grant.allocations.empty() && variant.allocator != nullptr) {
    Status status = Allocate(variant, devices_.Take(), node, grant.allocations);
    if (!status.ok()) {
      variant.page->Keep(node, {});
      return {Code::kError, fmt::format("node {}: {}", node, status.Message())};
    }
  }
  Decide(variant, std::move(grant.allocations), found->claims);
  // The devices change now, and what was asked of them with that.
  found->steps = StepsIn(state);
  for (auto& [key, each] : found->variants) {
    each.allocator.reset();
    each.page.reset();
  }
  for (PodClaim& each : found->claims) {
    if (each.decided != nullptr) {
      devices_.Begin(each.decided);
      each.is_in_flight = true;
    }
  }
  return {};
}

void DynamicResources::End(ClaimsOfPod& found) {
  for (PodClaim& each : found.claims) {
    if (std::exchange(each.is_in_flight, false)) {
      devices_.End(*each.decided);
    }
  }
}

loop::Task<void> DynamicResources::TakeBack(ClaimPtr claim, loop::Task<void> write) {
  if (handle_.strict) {
    co_await write;
    co_return;
  }
  devices_.Begin(claim);
  taken_back_.insert(claim->metadata.uid);
  co_await write;
  const api::ObjectMeta& meta = claim->metadata;
  loop::Task<client::Answer<api::ResourceClaim>> reading =
      ReadUntilAnswered<api::ResourceClaim>(*handle_.api, meta.ns, meta.name);
  client::Answer<api::ResourceClaim> read = co_await reading;
  if (read && read->metadata.uid == meta.uid) {
    devices_.Assume(std::make_shared<const api::ResourceClaim>(*std::move(read)));
  }
  devices_.End(*claim);
  taken_back_.erase(claim->metadata.uid);
  const ClaimPtr now = devices_.Find(meta.ns, meta.name);
  if (now != nullptr && handle_.surroundings != nullptr) {
    handle_.surroundings->TellOfClaim(now->status.allocation ? nullptr : claim, now);
  }
}

void DynamicResources::Unreserve(CycleState& state, const PodInfo& pod,
                                 const std::string& /*node*/) {
  ClaimsOfPod* const found = FindClaims(state);
  if (found == nullptr) {
    return;
  }
  End(*found);
  if (handle_.api == nullptr) {
    return;
  }
  for (const PodClaim& each : found->claims) {
    if (each.is_extended && each.claim->metadata.name != placement::kExtendedClaimName) {
      devices_.Forget(each.claim->metadata.ns, each.claim->metadata.name);
      handle_.write(DeleteClaim(*handle_.api, each.claim));
    } else if (!each.is_extended && !each.IsPending() &&
               placement::IsReservedFor(*each.claim, pod.pod)) {
      handle_.write(TakeBack(each.claim, RemoveReservation(*handle_.api, each.claim, pod.uid())));
    }
  }
  if (found->told_node_allocatable) {
    handle_.write(ForgetNodeAllocatable(*handle_.api, pod.pod.metadata));
  }
}

}  // namespace quadra::scheduler
