#include "placement/pod_claims.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/vocabulary.h"

namespace quadra::placement {

reasons::OrRefusal<ClaimName> ResolveClaim(const api::Pod& pod,
                                           const api::PodResourceClaim& entry) {
  using Kind = ClaimName::Kind;
  if (entry.resource_claim_name) {
    return ClaimName{.kind = Kind::kGiven, .name = *entry.resource_claim_name};
  }
  if (!entry.resource_claim_template_name) {
    return reasons::Refuse(
        reasons::Code::kNotModelled,
        fmt::format("pod \"{}/{}\", spec.resourceClaim \"{}\": none of the supported fields are "
                    "set",
                    pod.metadata.ns, pod.metadata.name, entry.name));
  }
  const auto& statuses = pod.status.resource_claim_statuses;
  const auto* status = std::ranges::find(statuses, entry.name, &api::PodResourceClaimStatus::name);
  if (status == statuses.end()) {
    return ClaimName{.kind = Kind::kToBeMade, .name = ""};
  }
  return status->resource_claim_name
             ? ClaimName{.kind = Kind::kMade, .name = *status->resource_claim_name}
             : ClaimName{.kind = Kind::kNone, .name = ""};
}

std::string GenerateNameOf(const std::string& pod, const std::string& pod_claim) {
  constexpr std::size_t kLongest = 57;
  std::string whole = pod + "-" + pod_claim + "-";
  if (whole.size() <= kLongest) {
    return whole;
  }
  const std::string pod_part = pod.substr(0, pod.size() * kLongest / whole.size());
  return pod_part + "-" + pod_claim.substr(0, pod_claim.size() * kLongest / whole.size());
}

api::ResourceClaim ClaimFromTemplate(const api::Pod& pod, const std::string& pod_claim,
                                     const api::ResourceClaimTemplate& from) {
  api::ResourceClaim claim;
  claim.type = {.kind = "ResourceClaim", .api_version = "resource.k8s.io/v1"};
  claim.metadata.generate_name = GenerateNameOf(pod.metadata.name, pod_claim);
  claim.metadata.ns = pod.metadata.ns;
  claim.metadata.labels = from.spec.metadata.labels;
  claim.metadata.annotations = from.spec.metadata.annotations;
  claim.metadata.annotations[kPodClaimAnnotation] = pod_claim;
  claim.metadata.owner_references.push_back(OwnerFor(pod));
  claim.spec = from.spec.spec;
  return claim;
}

api::OwnerReference OwnerFor(const api::Pod& pod) {
  return {.api_version = "v1",
          .kind = "Pod",
          .name = pod.metadata.name,
          .uid = pod.metadata.uid,
          .controller = true,
          .block_owner_deletion = std::nullopt};
}

const api::OwnerReference* ControllerOf(const api::ResourceClaim& claim) {
  const auto& owners = claim.metadata.owner_references;
  const auto* found = std::ranges::find_if(
      owners, [](const api::OwnerReference& owner) { return owner.controller.value_or(false); });
  return found == owners.end() ? nullptr : found;
}

bool IsOwnedBy(const api::ResourceClaim& claim, const api::Pod& pod) {
  const api::OwnerReference* owner = ControllerOf(claim);
  return owner != nullptr && owner->uid == pod.metadata.uid &&
         (!owner->uid.empty() || owner->name == pod.metadata.name);
}

std::string PinnedNode(const api::ResourceClaim& claim) {
  if (!claim.status.allocation) {
    return "";
  }
  const auto& selector = claim.status.allocation->node_selector;
  if (!selector || selector->node_selector_terms.size() != 1) {
    return "";
  }
  for (const auto& field : selector->node_selector_terms[0].match_fields) {
    if (field.key == "metadata.name" && field.op == "In" && field.values.size() == 1) {
      return field.values[0];
    }
  }
  return "";
}

bool IsAvailableOn(const api::ResourceClaim& claim, const api::Node& node) {
  const auto& allocation = claim.status.allocation;
  return !allocation || !allocation->node_selector ||
         api::Matches(*allocation->node_selector, node.metadata.name, node.metadata.labels);
}

const api::PodResourceClaim* EntryFor(const api::ResourceClaim& claim, const api::Pod& pod) {
  const std::string* made_for = claim.metadata.annotations.Find(kPodClaimAnnotation);
  const auto& entries = pod.spec.resource_claims;
  const auto* found = std::ranges::find_if(entries, [&](const api::PodResourceClaim& entry) {
    return entry.resource_claim_name == claim.metadata.name ||
           (entry.resource_claim_template_name && made_for != nullptr && entry.name == *made_for &&
            IsOwnedBy(claim, pod));
  });
  return found == entries.end() ? nullptr : found;
}

}  // namespace quadra::placement
