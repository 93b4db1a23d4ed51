// What the claim controller writes, as bodies of patches. Each carries the uid of what it was decided
// upon, and those of claims the resourceVersion too: where something has changed meanwhile, the
// server refuses, and we look again. Patches leave alone what we do not know of. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/kinds.h"

namespace quadra::claims {

using Consumers = api::List<api::ResourceClaimConsumerReference>;

enum class Allocation : std::uint8_t { kKept, kCleared };

// Merge patch of a claim's status.
std::string ReservationPatch(const api::ResourceClaim& claim, const Consumers& reserved_for,
                             Allocation allocation);

bool HasFinalizer(const api::ResourceClaim& claim);
// Merge patch of a claim: without the finalizer that protects what is allocated.
std::string FinalizerPatch(const api::ResourceClaim& claim);

// Entries of a pod's status.resourceClaimStatuses: its name for a claim, and the claim's.
using ClaimNames = std::vector<std::pair<std::string, std::string>>;
// Strategic merge patch of a pod's status; other entries stay.
std::string ClaimNamesPatch(const api::Pod& pod, const ClaimNames& names);

// Strategic merge patch of the status of a pod or a rule: one condition, whose members are a JSON
// object.
std::string ConditionPatch(std::string_view uid, std::string_view condition);

}  // namespace quadra::claims
