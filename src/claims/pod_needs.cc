#include "claims/pod_needs.h"

#include <algorithm>

#include "placement/pod_claims.h"

namespace quadra::claims {
namespace {

using Kind = placement::ClaimName::Kind;

bool EntryNeedsWork(const api::Pod& pod, const api::PodResourceClaim& entry,
                    const FindClaim& find) {
  const auto name = placement::ResolveClaim(pod, entry);
  if (!name || name->kind == Kind::kToBeMade) {
    return true;
  }
  if (name->kind == Kind::kNone) {
    return false;
  }
  const ClaimPointer claim = find(api::FullName(pod.metadata.ns, name->name));
  if (claim == nullptr) {
    return name->kind == Kind::kMade;
  }
  const bool usable = name->kind == Kind::kGiven || placement::IsOwnedBy(*claim, pod);
  return usable && AwaitsReservation(*claim, pod);
}

}  // namespace

bool IsDone(const api::Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed" ||
         (pod.metadata.deletion_timestamp.has_value() && pod.spec.node_name.empty());
}

bool HasClaims(const api::Pod& pod) {
  return !pod.spec.resource_claims.empty() || pod.status.extended_resource_claim_status.has_value();
}

std::vector<std::string> ClaimsOf(const api::Pod& pod) {
  std::vector<std::string> names;
  for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
    const auto name = placement::ResolveClaim(pod, entry);
    if (name && !name->name.empty()) {
      names.push_back(api::FullName(pod.metadata.ns, name->name));
    }
  }
  if (const auto& extended = pod.status.extended_resource_claim_status) {
    names.push_back(api::FullName(pod.metadata.ns, extended->resource_claim_name));
  }
  return names;
}

std::vector<std::string> TemplatesOf(const api::Pod& pod) {
  std::vector<std::string> names;
  for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
    if (entry.resource_claim_template_name) {
      names.push_back(api::FullName(pod.metadata.ns, *entry.resource_claim_template_name));
    }
  }
  return names;
}

const api::OwnerReference* OwningPod(const api::ResourceClaim& claim) {
  const api::OwnerReference* const owner = placement::ControllerOf(claim);
  return owner != nullptr && owner->api_version == "v1" && owner->kind == "Pod" ? owner : nullptr;
}

std::string OwnerKey(const api::ResourceClaim& claim) {
  const api::OwnerReference* const owner = OwningPod(claim);
  return owner == nullptr ? "" : api::FullName(claim.metadata.ns, owner->uid);
}

bool IsMadeFor(const api::ResourceClaim& claim, const api::Pod& pod, std::string_view pod_claim) {
  const std::string* const entry = claim.metadata.annotations.Find(placement::kPodClaimAnnotation);
  return entry != nullptr && *entry == pod_claim && placement::IsOwnedBy(claim, pod);
}

bool AwaitsReservation(const api::ResourceClaim& claim, const api::Pod& pod) {
  return !pod.spec.node_name.empty() && claim.status.allocation.has_value() &&
         !claim.metadata.deletion_timestamp && !placement::IsReservedFor(claim, pod) &&
         placement::CanBeReservedFor(claim, pod);
}

bool NeedsWork(const api::Pod& pod, const FindClaim& find) {
  if (pod.metadata.deletion_timestamp || IsDone(pod)) {
    return false;
  }
  return std::ranges::any_of(pod.spec.resource_claims, [&](const api::PodResourceClaim& entry) {
    return EntryNeedsWork(pod, entry, find);
  });
}

}  // namespace quadra::claims
