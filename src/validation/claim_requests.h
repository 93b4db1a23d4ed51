// Requests for devices: exactly one kind, or the first available of several alternatives.
#pragma once

#include <cstdint>
#include <string_view>

#include "api/kinds.h"
#include "validation/claim_derived_attributes.h"
#include "validation/field_error.h"
#include "validation/path.h"
#include "validation/validate.h"

namespace quadra::validation {

inline constexpr std::string_view kAllocationModes[] = {"All", "ExactCount"};

// Returns the cost of all derived attributes together.
std::uint64_t CheckRequests(ErrorList& errors, const Path& path,
                            const api::List<api::DeviceRequest>& requests,
                            const ConstrainedAttributes& constrained, const Request& request);

}  // namespace quadra::validation
