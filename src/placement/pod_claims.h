// PodClaims: which claim an entry of a pod's spec.resourceClaims stands for, and the claim that is
// made where it stands for a template. What scheduler and claim controller must agree on.
//
//   const OrRefusal<ClaimName> name = ResolveClaim(pod, entry);
//   if (name && name->kind == ClaimName::Kind::kToBeMade)
//     … ClaimFromTemplate(pod, entry.name, claim_template) …
//
// Pure, no state; any number of threads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/kinds.h"
#include "placement/binding_conditions.h"
#include "placement/reservation.h"  // IWYU pragma: export
#include "reasons/refusal.h"

namespace quadra::placement {

// On a claim that was made for a pod: the pod's name for it.
inline constexpr std::string_view kPodClaimAnnotation = "resource.kubernetes.io/pod-claim-name";

struct ClaimName {
  enum class Kind : std::uint8_t {
    kGiven,     // the pod names it: anybody's claim
    kMade,      // it was made for the pod, which must own it
    kNone,      // the controller decided that there is no claim
    kToBeMade,  // from the template, and the pod's status does not name it yet
  };
  Kind kind = Kind::kNone;
  std::string name;  // kGiven, kMade
};

// By the pod's spec and status alone. Refuses an entry of a kind that nobody knows.
reasons::OrRefusal<ClaimName> ResolveClaim(const api::Pod& pod, const api::PodResourceClaim& entry);

// Without a name: metadata.generateName is what the API server completes.
api::ResourceClaim ClaimFromTemplate(const api::Pod& pod, const std::string& pod_claim,
                                     const api::ResourceClaimTemplate& from);
// The part of the name before the random end; as long as upstream lets it be.
std::string GenerateNameOf(const std::string& pod, const std::string& pod_claim);

// The reference by which a claim that was made for the pod names it.
api::OwnerReference OwnerFor(const api::Pod& pod);
// The owner that made it; null if there is none.
const api::OwnerReference* ControllerOf(const api::ResourceClaim& claim);
// Whether the claim was made for the pod. Objects written by hand have no uid; then the name has to
// do.
bool IsOwnedBy(const api::ResourceClaim& claim, const api::Pod& pod);

// The one node that the claim's devices belong to; empty where they may be used from several, or
// there are none yet.
std::string PinnedNode(const api::ResourceClaim& claim);

// Whether the claim's devices can be used from the node; those that are not allocated yet can.
bool IsAvailableOn(const api::ResourceClaim& claim, const api::Node& node);

// The entry of the pod's spec.resourceClaims that the claim serves; null where no entry does.
const api::PodResourceClaim* EntryFor(const api::ResourceClaim& claim, const api::Pod& pod);

}  // namespace quadra::placement
