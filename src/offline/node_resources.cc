#include "offline/node_resources.h"

#include <algorithm>

#include "allocator/node_allocatable.h"

namespace quadra::offline {
namespace {

using Status = api::NodeAllocatableResourceClaimStatus;

// The pod's own name for the claim; empty for one that its containers do not name.
std::string_view PodsNameFor(const api::ResourceClaim& claim, const api::Pod& pod) {
  const std::string* made_for = claim.metadata.annotations.Find(kPodClaimAnnotation);
  for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
    const bool named = entry.resource_claim_name == claim.metadata.name;
    if (named || (made_for != nullptr && entry.name == *made_for && IsOwnedBy(claim, pod))) {
      return entry.name;
    }
  }
  return "";
}

std::optional<Status> StatusOf(const api::ResourceClaim& claim, const api::Pod* pod,
                               const inventory::Snapshot& cluster) {
  if (!claim.status.allocation) {
    return std::nullopt;
  }
  std::optional<Status> status = allocator::NodeAllocatableOf(*claim.status.allocation, cluster);
  if (!status) {
    return std::nullopt;
  }
  status->resource_claim_name = claim.metadata.name;
  const std::string_view name = pod == nullptr ? "" : PodsNameFor(claim, *pod);
  if (!name.empty()) {
    allocator::AddContainers(*status, *pod, name);
  }
  return status;
}

}  // namespace

void AddNodeResources(Report& report, const Dump& dump, const inventory::Snapshot& cluster) {
  if (!dump.gates().Enabled(api::Gate::kDRANodeAllocatableResources)) {
    return;
  }
  for (Outcome& outcome : report.outcomes) {
    if (!outcome.allocated()) {
      continue;
    }
    for (const ServedClaim& served : outcome.claims) {
      if (std::optional<Status> status = StatusOf(served.claim, outcome.pod, cluster)) {
        outcome.node_allocatable.push_back(*std::move(status));
      }
    }
    std::ranges::sort(outcome.node_allocatable, {}, &Status::resource_claim_name);
  }
}

}  // namespace quadra::offline
