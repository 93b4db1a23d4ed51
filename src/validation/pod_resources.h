// What a container asks of a node: amounts by resource name, and claims.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "api/kinds.h"
#include "validation/field_error.h"
#include "validation/path.h"

namespace quadra::validation {

// The names that spec.resourceClaims gives, which containers may refer to. Sorted, as error texts
// list them.
using ClaimNames = std::set<std::string, std::less<>>;

// Judges limits, requests and claims of a container. Upstream walks limits and requests in random
// order; the errors of both are ordered by field, type, message. `whole_huge_pages`: amounts of
// huge pages must be whole numbers of pages.
void ValidateContainerResources(ErrorList& errors, const Path& path,
                                const api::ResourceRequirements& resources,
                                const ClaimNames& claim_names, bool whole_huge_pages);

// Judges the references of `resources.claims`, of a container or of the pod. `path` is that of the
// list.
void ValidateClaimReferences(ErrorList& errors, const Path& path,
                             const api::List<api::ContainerResourceClaim>& claims,
                             const ClaimNames& claim_names);

// cpu, memory and huge pages: what a node shares out and a device may take from it.
bool IsNodeAllocatableResource(std::string_view name);

// Whether an amount of huge pages is not a whole number of pages.
bool HasIndivisibleHugePages(const api::ResourceList& amounts);

}  // namespace quadra::validation
