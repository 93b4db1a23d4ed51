// RevisionOf: which of two copies of an object is the newer one.
#pragma once

#include <cstdint>

#include "api/kinds.h"

namespace quadra::scheduler {

// The resourceVersion as a number; 0 where it is none.
std::uint64_t RevisionOf(const api::ObjectMeta& metadata);

}  // namespace quadra::scheduler
