// The allocation of a claim: which devices it got. Only new allocations are looked into; stored
// ones never change.
#pragma once

#include <string_view>

#include "api/kinds.h"
#include "validation/claim_request_names.h"
#include "validation/field_error.h"
#include "validation/path.h"

namespace quadra::validation {

inline constexpr std::string_view kConfigSources[] = {"FromClaim", "FromClass"};

// `names` are the requests of the claim's specification.
void CheckAllocation(ErrorList& errors, const Path& path, const api::AllocationResult& allocation,
                     const RequestNames& names);

// A lower-case UUID that tells shares of one device apart; marked as covered.
void CheckShareId(ErrorList& errors, const Path& path, std::string_view share_id);

}  // namespace quadra::validation
