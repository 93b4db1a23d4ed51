#include "placement/claim_book.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "placement/extended_resources.h"
#include "placement/pod_claims.h"
#include "placement/pod_order.h"

namespace quadra::placement {
namespace {

// Objects written by hand have no uid; then the name has to do.
std::string OwnedKey(std::string_view ns, std::string_view uid, std::string_view pod,
                     std::string_view claim) {
  return fmt::format("{}/{}/{}", ns, uid.empty() ? pod : uid, claim);
}

std::string OwnedKey(const api::Pod& pod, std::string_view claim) {
  return OwnedKey(pod.metadata.ns, pod.metadata.uid, pod.metadata.name, claim);
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

bool Contains(const std::vector<api::ResourceClaim>& claims, const api::ResourceClaim& claim) {
  return std::ranges::any_of(claims, [&](const api::ResourceClaim& each) {
    return each.metadata.name == claim.metadata.name;
  });
}

// The pod has to wait for what another makes or takes away.
tl::unexpected<reasons::Refusal> Waits(std::string message) {
  return reasons::Refuse(reasons::Code::kNotModelled, std::move(message));
}

// Of the pods that are on nodes and not finished; namespace/name.
std::set<std::string> MissingClaims(const Cluster& cluster) {
  std::set<std::string> missing;
  for (const api::Pod& pod : cluster.pods().all()) {
    if (pod.spec.node_name.empty() || IsFinished(pod)) {
      continue;
    }
    for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
      const reasons::OrRefusal<ClaimName> claim = ResolveClaim(pod, entry);
      if (claim && !claim->name.empty() &&
          cluster.claims().Find(pod.metadata.ns, claim->name) == nullptr) {
        missing.insert(api::FullName(pod.metadata.ns, claim->name));
      }
    }
  }
  return missing;
}

}  // namespace

std::string TextOfMissingClaims(const Cluster& cluster) {
  constexpr std::size_t kFew = 3;
  const std::set<std::string> missing = MissingClaims(cluster);
  if (missing.empty()) {
    return "";
  }
  const std::size_t named = std::min(missing.size(), kFew);
  const auto end = std::next(missing.begin(), static_cast<std::ptrdiff_t>(named));
  const std::string more =
      missing.size() > named ? fmt::format(" and {} more", missing.size() - named) : std::string();
  return fmt::format(
      "pods on nodes use claims that the dump lacks, so devices that look free may be held: {}{}; "
      "kubectl get resourceclaims -A -o yaml would tell",
      fmt::join(missing.begin(), end, ", "), more);
}

ClaimBook::ClaimBook(const Cluster& cluster) : cluster_(cluster) {
  for (const api::ResourceClaim& claim : cluster.claims().all()) {
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
  return changed != nullptr ? changed : cluster_.claims().Find(ns, name);
}

const api::ResourceClaim* ClaimBook::FindExtendedClaim(const api::Pod& pod) const {
  const auto found = owned_.find(OwnedKey(pod, kExtendedClaimName));
  return found == owned_.end() ? nullptr : Find(pod.metadata.ns, found->second);
}

std::string ClaimBook::FreeName(std::string_view ns, const std::string& wanted) const {
  std::string name = wanted;
  for (int number = 2; Find(ns, name) != nullptr; ++number) {
    name = fmt::format("{}-{}", wanted, number);
  }
  return name;
}

reasons::OrRefusal<std::vector<api::ResourceClaim>> ClaimBook::ClaimsOf(const api::Pod& pod) const {
  std::vector<api::ResourceClaim> claims;
  for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
    Found claim = ClaimOf(pod, entry);
    if (!claim) {
      return tl::unexpected<reasons::Refusal>(std::move(claim).error());
    }
    std::optional<api::ResourceClaim> found = *std::move(claim);
    if (found.has_value() && (!found->status.allocation || !Contains(claims, *found))) {
      claims.push_back(*std::move(found));
    }
  }
  return claims;
}

ClaimBook::Found ClaimBook::ClaimOf(const api::Pod& pod, const api::PodResourceClaim& entry) const {
  const reasons::OrRefusal<ClaimName> name = ResolveClaim(pod, entry);
  if (!name) {
    return tl::unexpected<reasons::Refusal>(name.error());
  }
  switch (name->kind) {
    case ClaimName::Kind::kGiven:
      return Existing(pod, name->name, false);
    case ClaimName::Kind::kMade:
      return Existing(pod, name->name, true);
    case ClaimName::Kind::kNone:
      return std::nullopt;
    case ClaimName::Kind::kToBeMade:
      break;
  }
  const auto owned = owned_.find(OwnedKey(pod, entry.name));
  return owned != owned_.end() ? Existing(pod, owned->second, true) : Make(pod, entry);
}

ClaimBook::Found ClaimBook::Existing(const api::Pod& pod, const std::string& name,
                                     bool must_be_owned) const {
  const api::ObjectMeta& meta = pod.metadata;
  const api::ResourceClaim* claim = Find(meta.ns, name);
  if (claim == nullptr) {
    return Waits(fmt::format("could not find ResourceClaim \"{}/{}\"", meta.ns, name));
  }
  const bool has_it = !pod.spec.node_name.empty() && claim->status.allocation;
  if (claim->metadata.deletion_timestamp && !has_it) {
    return reasons::Refuse(reasons::Code::kClaimDeleting,
                           fmt::format("resourceclaim \"{}\" is being deleted", name));
  }
  if (must_be_owned && !IsOwnedBy(*claim, pod)) {
    return Waits(
        fmt::format("ResourceClaim {0}/{1} was not created for Pod {0}/{2} (Pod is not owner)",
                    meta.ns, name, meta.name));
  }
  return *claim;
}

ClaimBook::Found ClaimBook::Make(const api::Pod& pod, const api::PodResourceClaim& entry) const {
  const std::string wanted = entry.resource_claim_template_name.value_or("");
  const api::ResourceClaimTemplate* from = cluster_.templates().Find(pod.metadata.ns, wanted);
  if (from == nullptr) {
    return Waits(fmt::format("resource claim template \"{}\": not found", wanted));
  }
  api::ResourceClaim claim = ClaimFromTemplate(pod, entry.name, *from);
  std::string base = claim.metadata.generate_name;
  base.erase(base.find_last_not_of('-') + 1);
  claim.metadata.name = FreeName(pod.metadata.ns, base);
  return claim;
}

}  // namespace quadra::placement
