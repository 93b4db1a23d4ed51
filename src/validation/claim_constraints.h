// Constraints between the devices of a claim.
#pragma once

#include "api/kinds.h"
#include "validation/claim_request_names.h"
#include "validation/field_error.h"
#include "validation/path.h"
#include "validation/validate.h"

namespace quadra::validation {

void CheckConstraints(ErrorList& errors, const Path& path,
                      const api::List<api::DeviceConstraint>& constraints,
                      const RequestNames& names, const Request& request);

}  // namespace quadra::validation
