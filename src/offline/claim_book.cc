#include "offline/claim_book.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "offline/extended_resources.h"

namespace quadra::offline {
namespace {

const api::OwnerReference* ControllerOf(const api::ResourceClaim& claim) {
  const auto& owners = claim.metadata.owner_references;
  const auto* found = std::ranges::find_if(
      owners, [](const api::OwnerReference& owner) { return owner.controller.value_or(false); });
  return found == owners.end() ? nullptr : found;
}

// Objects written by hand have no uid; then the name has to do.
std::string OwnedKey(std::string_view ns, std::string_view uid, std::string_view pod,
                     std::string_view claim) {
  return fmt::format("{}/{}/{}", ns, uid.empty() ? pod : uid, claim);
}

std::string AnnotationOf(const api::ResourceClaim& claim, std::string_view name) {
  const std::string* value = claim.metadata.annotations.Find(name);
  return value == nullptr ? "" : *value;
}

// By which name of the pod the claim was made for it; empty where it was not.
std::string MadeFor(const api::ResourceClaim& claim) {
  if (AnnotationOf(claim, kExtendedClaimAnnotation) == "true") {
    return std::string(kExtendedClaimName);
  }
  return AnnotationOf(claim, kPodClaimAnnotation);
}

// Without the random end: as long as upstream lets it be.
std::string NamePrefix(const std::string& pod, const std::string& claim) {
  constexpr std::size_t kLongest = 57;
  std::string whole = pod + "-" + claim + "-";
  if (whole.size() <= kLongest) {
    return whole;
  }
  const std::string pod_part = pod.substr(0, pod.size() * kLongest / whole.size());
  return pod_part + "-" + claim.substr(0, claim.size() * kLongest / whole.size());
}

bool Contains(const std::vector<api::ResourceClaim>& claims, const api::ResourceClaim& claim) {
  return std::ranges::any_of(claims, [&](const api::ResourceClaim& each) {
    return each.metadata.name == claim.metadata.name;
  });
}

Error Waits(std::string message) {
  return {.reason = Reason::kNotFound, .message = std::move(message)};
}

}  // namespace

bool IsOwnedBy(const api::ResourceClaim& claim, const api::Pod& pod) {
  const api::OwnerReference* owner = ControllerOf(claim);
  return owner != nullptr && owner->uid == pod.metadata.uid &&
         (!owner->uid.empty() || owner->name == pod.metadata.name);
}

ClaimBook::ClaimBook(const Dump& dump) : dump_(dump) {
  for (const api::ResourceClaim& claim : dump.claims().all()) {
    const std::string made_for = MadeFor(claim);
    const api::OwnerReference* owner = ControllerOf(claim);
    if (owner != nullptr && !made_for.empty()) {
      owned_.try_emplace(OwnedKey(claim.metadata.ns, owner->uid, owner->name, made_for),
                         claim.metadata.name);
    }
  }
}

const api::ResourceClaim* ClaimBook::Find(std::string_view ns, std::string_view name) const {
  const api::ResourceClaim* changed = changed_.Find(ns, name);
  return changed != nullptr ? changed : dump_.claims().Find(ns, name);
}

const api::ResourceClaim* ClaimBook::FindExtendedClaim(const api::Pod& pod) const {
  const api::ObjectMeta& meta = pod.metadata;
  const auto found = owned_.find(OwnedKey(meta.ns, meta.uid, meta.name, kExtendedClaimName));
  return found == owned_.end() ? nullptr : Find(meta.ns, found->second);
}

std::string ClaimBook::FreeName(std::string_view ns, std::string wanted) const {
  std::string name = wanted;
  for (int number = 2; Find(ns, name) != nullptr; ++number) {
    name = fmt::format("{}-{}", wanted, number);
  }
  return name;
}

Result<std::vector<api::ResourceClaim>> ClaimBook::ClaimsOf(const api::Pod& pod) const {
  std::vector<api::ResourceClaim> claims;
  for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
    QUADRA_TRY(std::optional<api::ResourceClaim> claim, ClaimOf(pod, entry));
    if (claim && !Contains(claims, *claim)) {
      claims.push_back(*std::move(claim));
    }
  }
  return claims;
}

Result<std::optional<api::ResourceClaim>> ClaimBook::ClaimOf(
    const api::Pod& pod, const api::PodResourceClaim& entry) const {
  if (entry.resource_claim_name) {
    return Existing(pod, *entry.resource_claim_name, false);
  }
  const api::ObjectMeta& meta = pod.metadata;
  if (!entry.resource_claim_template_name) {
    return Fail(
        Waits(fmt::format("pod \"{}/{}\", spec.resourceClaim \"{}\": none of the supported fields "
                          "are set",
                          meta.ns, meta.name, entry.name)));
  }
  const auto& statuses = pod.status.resource_claim_statuses;
  const auto* status = std::ranges::find(statuses, entry.name, &api::PodResourceClaimStatus::name);
  if (status != statuses.end()) {
    if (!status->resource_claim_name) {
      return std::nullopt;
    }
    return Existing(pod, *status->resource_claim_name, true);
  }
  const auto owned = owned_.find(OwnedKey(meta.ns, meta.uid, meta.name, entry.name));
  if (owned != owned_.end()) {
    return Existing(pod, owned->second, true);
  }
  return FromTemplate(pod, entry);
}

Result<api::ResourceClaim> ClaimBook::Existing(const api::Pod& pod, const std::string& name,
                                               bool must_be_owned) const {
  const api::ObjectMeta& meta = pod.metadata;
  const api::ResourceClaim* claim = Find(meta.ns, name);
  if (claim == nullptr) {
    return Fail(Waits(fmt::format("could not find ResourceClaim \"{}/{}\"", meta.ns, name)));
  }
  if (claim->metadata.deletion_timestamp) {
    return Fail(Waits(fmt::format("resourceclaim \"{}\" is being deleted", name)));
  }
  if (must_be_owned && !IsOwnedBy(*claim, pod)) {
    return Fail(Waits(
        fmt::format("ResourceClaim {0}/{1} was not created for Pod {0}/{2} (Pod is not owner)",
                    meta.ns, name, meta.name)));
  }
  return *claim;
}

Result<api::ResourceClaim> ClaimBook::FromTemplate(const api::Pod& pod,
                                                   const api::PodResourceClaim& entry) const {
  const api::ObjectMeta& meta = pod.metadata;
  const std::string wanted = entry.resource_claim_template_name.value_or("");
  const api::ResourceClaimTemplate* from = dump_.templates().Find(meta.ns, wanted);
  if (from == nullptr) {
    return Fail(Waits(fmt::format("resource claim template \"{}\": not found", wanted)));
  }
  api::ResourceClaim claim;
  claim.type = {.kind = "ResourceClaim", .api_version = "resource.k8s.io/v1"};
  claim.metadata.generate_name = NamePrefix(meta.name, entry.name);
  claim.metadata.ns = meta.ns;
  std::string base = claim.metadata.generate_name;
  base.erase(base.find_last_not_of('-') + 1);
  claim.metadata.name = FreeName(meta.ns, std::move(base));
  claim.metadata.labels = from->spec.metadata.labels;
  claim.metadata.annotations = from->spec.metadata.annotations;
  claim.metadata.annotations[kPodClaimAnnotation] = entry.name;
  claim.metadata.owner_references.push_back(OwnerFor(pod));
  claim.spec = from->spec.spec;
  return claim;
}

}  // namespace quadra::offline
