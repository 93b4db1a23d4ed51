// Admin access to devices that others use: only in namespaces whose label allows it.
#pragma once

#include "api/kinds.h"
#include "validation/field_error.h"

namespace quadra::validation {

using Labels = api::Map<std::string>;

// The first request for admin access is reported. Upstream's path, also for templates and although
// the field is inside `exactly`: spec.devices.requests[i].adminAccess.
void CheckAdminRequests(ErrorList& errors, const api::DeviceClaim& claim,
                        const Labels& namespace_labels);

// The first result with admin access, unless the stored status granted it before.
void CheckAdminResults(ErrorList& errors, const api::ResourceClaimStatus& status,
                       const api::ResourceClaimStatus& old, const Labels& namespace_labels);

}  // namespace quadra::validation
