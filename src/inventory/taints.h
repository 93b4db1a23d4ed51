// Taints: what keeps pods away from a device, published or set by DeviceTaintRules.
#pragma once

#include <span>
#include <vector>

#include "api/kinds.h"
#include "inventory/device.h"

namespace quadra::inventory {

// Effects NoSchedule and NoExecute; others are remarks.
bool KeepsAway(const api::DeviceTaint& taint);

// Whether the rule is about devices of that pool at all. A rule without a selector is about none.
bool ConcernsPool(const api::DeviceTaintRule& rule, const Slice& slice);

// Published ones first, then those of rules in their order.
std::vector<api::DeviceTaint> TaintsOf(const Slice& slice, std::size_t device,
                                       std::span<const api::DeviceTaintRule> rules);

}  // namespace quadra::inventory
