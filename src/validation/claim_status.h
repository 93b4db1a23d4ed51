// The status of a claim: allocation, consumers and device status together.
#pragma once

#include "api/kinds.h"
#include "validation/field_error.h"

namespace quadra::validation {

// `claim` with its new status, `old` as stored; they have the same specification.
void CheckClaimStatus(ErrorList& errors, const api::ResourceClaim& claim,
                      const api::ResourceClaim& old);

}  // namespace quadra::validation
