// Fit: what upstream makes of the values in a tree that a strategic merge patch has left. It reads
// such trees not by its JSON decoder but by a converter, which takes numbers more loosely and
// complains in other words.
#pragma once

#include <string>

#include "api/object.h"
#include "json/value.h"

namespace quadra::patch {

// Makes a merged tree fit to be decoded: numbers for integers become what the converter makes of
// them, 80.0 the 80, and what is too large for 32 bits the rest of it that fits. Returns the
// converter's sentence about the first value, in the order of the fields, that it cannot take;
// empty: none. Values with a parser of their own (quantities, times and the like) are left to it.
//
//   if (std::string misfit = FitToSchema(patched->object, *kind.fields); !misfit.empty()) {
//     … 422 with the cause patch: Invalid value: …: misfit …
//   }
std::string FitToSchema(json::Value& merged, const api::Struct& type);

}  // namespace quadra::patch
