// What a pod needs of its claims, by what is known of it: whether it still does, which claims those
// are, and whether the controller has something to do for it. Pure.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"

namespace quadra::claims {

using PodPointer = std::shared_ptr<const api::Pod>;
using ClaimPointer = std::shared_ptr<const api::ResourceClaim>;

// Whether none of its containers runs or ever will: it has ended, or is being deleted and was never
// given a node. Both are for good: nobody binds a pod that is being deleted.
bool IsDone(const api::Pod& pod);

// Whether it has claims at all, its own or one for extended resources.
bool HasClaims(const api::Pod& pod);
// The full names of the claims that it may hold, as far as they are known, that for extended
// resources among them.
std::vector<std::string> ClaimsOf(const api::Pod& pod);
// The full names of the templates that it names.
std::vector<std::string> TemplatesOf(const api::Pod& pod);

// The pod that the claim was made for; null if there is none.
const api::OwnerReference* OwningPod(const api::ResourceClaim& claim);
// namespace/uid of that pod; empty if there is none.
std::string OwnerKey(const api::ResourceClaim& claim);
// Whether the claim was made for this entry of the pod's spec.resourceClaims.
bool IsMadeFor(const api::ResourceClaim& claim, const api::Pod& pod, std::string_view pod_claim);

// Whether the claim is to be reserved for the pod, which has been given a node without the
// scheduler's help: it is allocated, has room, and is not going.
bool AwaitsReservation(const api::ResourceClaim& claim, const api::Pod& pod);

using FindClaim = std::function<ClaimPointer(const std::string& full_name)>;
// Whether a claim is to be made for the pod, its status to be written, or a claim to be reserved.
// Claims that users have to make, and claims of others under the name of its own, are waited for.
bool NeedsWork(const api::Pod& pod, const FindClaim& find);

}  // namespace quadra::claims
