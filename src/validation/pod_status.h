// The DRA parts of a pod's status: which claims were made for it, what they take from the node, how
// healthy devices are.
#pragma once

#include "api/kinds.h"
#include "validation/declarative.h"
#include "validation/field_error.h"

namespace quadra::validation {

// The hand-written rules, in upstream's order: resourceClaimStatuses, extendedResourceClaimStatus,
// nodeAllocatableResourceClaimStatuses, then allocatedResourcesStatus of containers, init and
// ephemeral containers.
void ValidatePodStatus(ErrorList& errors, const api::Pod& pod);

// The declarative rules, which only nodeAllocatableResourceClaimStatuses has. `site.path` is the
// pod.
void DeclarePodStatus(const Site& site, const api::PodStatus& status, const api::PodStatus* old);

}  // namespace quadra::validation
