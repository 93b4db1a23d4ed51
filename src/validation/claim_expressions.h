// Expressions in CEL, in selectors and derived attributes.
#pragma once

#include <cstdint>
#include <string_view>

#include "validation/field_error.h"
#include "validation/path.h"
#include "validation/validate.h"

namespace quadra::validation {

// Length, compilation, result type and cost of an expression that is not stored yet. Returns its
// cost; 0 if it is too long or does not compile.
std::uint64_t CheckExpression(ErrorList& errors, const Path& path, std::string_view expression,
                              CelUse use, const Request& request);

}  // namespace quadra::validation
