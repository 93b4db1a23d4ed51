// The specification of a claim, alone and inside a template.
#pragma once

#include "api/kinds.h"
#include "validation/field_error.h"
#include "validation/path.h"
#include "validation/validate.h"

namespace quadra::validation {

// `path` is that of the specification: spec, or spec.spec in a template.
void CheckClaimSpec(ErrorList& errors, const Path& path, const api::ResourceClaimSpec& spec,
                    const Request& request);

}  // namespace quadra::validation
