// BindingConditions: what drivers still have to report of a claim's devices before the scheduler binds
// a pod that uses them, and what makes it give them up.
//
// Pure, no state; any number of threads. REQUIRES, for all: binding conditions are on.
#pragma once

#include <string>
#include <vector>

#include "api/kinds.h"

namespace quadra::placement {

// Why the scheduler gives up a claim that has devices: one of them has a binding failure condition.
// Empty where it does not.
std::string WhyBindingFailed(const api::ResourceClaim& claim);

// The conditions that are not true yet, e.g. Attached of device drv/pool/gpu-0; none where the claim
// has no devices.
std::vector<std::string> AwaitedConditions(const api::ResourceClaim& claim);

}  // namespace quadra::placement
