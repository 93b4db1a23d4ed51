// LargestRequest: the most that may be asked of a capacity, as its policy rounds and bounds it.
#pragma once

#include <optional>

#include "api/kinds.h"

namespace quadra::allocator {

// The greatest amount that the policy allows and that consumes no more than `left`; nothing where
// there is none. What policies round beyond 64 bits is not found.
std::optional<quantity::Quantity> LargestRequest(const api::DeviceCapacity& capacity,
                                                 const quantity::Quantity& left);

}  // namespace quadra::allocator
