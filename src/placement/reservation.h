// Reservation: who may use an allocated claim, and what keeps it from being deleted meanwhile.
//
// The scheduler writes both when it places a pod; the claim controller takes them back. Pure.
#pragma once

#include <cstddef>
#include <string_view>

#include "api/kinds.h"

namespace quadra::placement {

// The API server refuses a longer status.reservedFor.
inline constexpr std::size_t kMostConsumers = 256;
inline constexpr std::string_view kDeleteProtection = "resource.kubernetes.io/delete-protection";

bool IsReservedFor(const api::ResourceClaim& claim, const api::Pod& pod);
// Whether the pod may use it too: it does already, or one more consumer is allowed.
bool CanBeReservedFor(const api::ResourceClaim& claim, const api::Pod& pod);
// Whether that was new. REQUIRES: CanBeReservedFor.
bool Reserve(api::ResourceClaim& claim, const api::Pod& pod);

// To be there before the allocation is: then no claim that holds devices vanishes unseen.
void AddFinalizer(api::ResourceClaim& claim);

}  // namespace quadra::placement
