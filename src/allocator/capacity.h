// Capacity: how much of a device a request consumes, and whether that is left.
#pragma once

#include <string>

#include "api/kinds.h"
#include "base/result.h"
#include "inventory/inventory.h"

namespace quadra::allocator {

using inventory::Amounts;

// What is asked for; null where a request names no capacities.
using Wanted = const api::Map<quantity::Quantity>*;

// What a request consumes of each capacity of a device, requested or not: rounded up as the policy
// says; unrequested the policy's default, else all of it. Fails, fatally for the whole allocation,
// where an amount cannot be computed or is negative; the message is upstream's.
Result<Amounts> Consumption(Wanted wanted, const api::Map<api::DeviceCapacity>& capacity,
                            bool fractional);

// Whether the device has every capacity that is asked for, each amount is one the policy allows,
// and it is left beside what others hold (`held`) and what this allocation takes already
// (`taking`). Fails as Consumption does.
Result<bool> Suffices(Wanted wanted, const api::Map<api::DeviceCapacity>& capacity,
                      const Amounts& held, const Amounts& taking, bool fractional);

}  // namespace quadra::allocator
