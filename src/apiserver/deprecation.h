// Deprecation: which versions of kinds go away, as clients are told in a Warning header.
//
// Pure, thread-safe.
#pragma once

#include <string>

#include "api/object.h"

namespace quadra::apiserver {

// Empty where it is here to stay.
std::string DeprecationOf(const api::KindSchema& kind);

}  // namespace quadra::apiserver
