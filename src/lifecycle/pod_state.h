// What controllers ask about pods. Pure functions, named as upstream's rules are.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/kinds.h"
#include "base/clock.h"

namespace quadra::lifecycle {

// The owner that controls the object; null where none does.
const api::OwnerReference* ControllerOf(const api::ObjectMeta& metadata);

// The first condition of this type, or null.
const api::PodCondition* FindCondition(const api::Pod& pod, std::string_view type);

bool IsReady(const api::Pod& pod);
// Since when; absent where it is not ready, or nobody wrote down when it became so.
std::optional<Time> ReadySince(const api::Pod& pod);
// Ready for so long. Without `min_ready_seconds` being ready is enough.
bool IsAvailable(const api::Pod& pod, std::int64_t min_ready_seconds, Time now);
// When it will have been ready for so long; absent where it has been, or is not ready.
std::optional<Time> AvailableFrom(const api::Pod& pod, std::int64_t min_ready_seconds, Time now);

// Succeeded or failed: its containers will not run again.
bool IsFinished(const api::Pod& pod);
// Neither finished nor being deleted: it counts as a replica.
bool IsActive(const api::Pod& pod);
// Being deleted, and not finished yet.
bool IsTerminating(const api::Pod& pod);

}  // namespace quadra::lifecycle
