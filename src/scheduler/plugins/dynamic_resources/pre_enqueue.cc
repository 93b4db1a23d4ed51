// Which claims the pod's entries stand for, and why it may have to wait for one.

#include <utility>

#include <fmt/format.h>

#include "placement/pod_claims.h"
#include "scheduler/plugins/dynamic_resources/dynamic_resources.h"

namespace quadra::scheduler {
namespace {

using placement::ClaimName;

}  // namespace

Status DynamicResources::PreEnqueue(const PodInfo& pod) const {
  const reasons::OrRefusal<std::vector<ClaimPtr>> claims = ClaimsOf(pod.pod);
  return claims ? Status() : Unresolvable(claims.error().message).Because(claims.error());
}

reasons::OrRefusal<std::vector<ClaimPtr>> DynamicResources::ClaimsOf(const api::Pod& pod) const {
  std::vector<ClaimPtr> claims;
  for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
    reasons::OrRefusal<ClaimPtr> claim = ClaimOf(pod, entry);
    if (!claim) {
      return tl::unexpected<reasons::Refusal>(std::move(claim).error());
    }
    if (*claim != nullptr) {
      claims.push_back(*std::move(claim));
    }
  }
  return claims;
}

// Null where there deliberately is none.
reasons::OrRefusal<ClaimPtr> DynamicResources::ClaimOf(const api::Pod& pod,
                                                       const api::PodResourceClaim& entry) const {
  const reasons::OrRefusal<ClaimName> name = placement::ResolveClaim(pod, entry);
  if (!name) {
    return tl::unexpected<reasons::Refusal>(name.error());
  }
  const std::string& ns = pod.metadata.ns;
  if (name->kind == ClaimName::Kind::kToBeMade) {
    return reasons::Refuse(
        reasons::Code::kNotModelled,
        fmt::format("pod \"{}/{}\": ResourceClaim not created yet", ns, pod.metadata.name));
  }
  if (name->kind == ClaimName::Kind::kNone) {
    return ClaimPtr();
  }
  ClaimPtr claim = devices_.Find(ns, name->name);
  if (claim == nullptr) {
    return reasons::Refuse(reasons::Code::kNotModelled,
                           fmt::format("could not find ResourceClaim \"{}/{}\"", ns, name->name));
  }
  if (claim->metadata.deletion_timestamp) {
    return reasons::Refuse(reasons::Code::kClaimDeleting,
                           fmt::format("resourceclaim \"{}\" is being deleted", name->name));
  }
  if (name->kind == ClaimName::Kind::kMade && !placement::IsOwnedBy(*claim, pod)) {
    return reasons::Refuse(
        reasons::Code::kNotModelled,
        fmt::format("ResourceClaim {0}/{1} was not created for Pod {0}/{2} (Pod is not owner)", ns,
                    name->name, pod.metadata.name));
  }
  return claim;
}

}  // namespace quadra::scheduler
