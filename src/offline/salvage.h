// Salvage: what can still be read of an object with a broken field.
//
// Pure functions. REQUIRES, of all: `json` is a valid JSON object.
#pragma once

#include <string>
#include <string_view>

namespace quadra::offline {

// The object without the fields that no decision reads: annotations, managed fields, conditions,
// what containers report. What is left means the same to the allocator.
std::string DecidingPartOf(std::string_view json, std::string_view kind);

// Of an allocated ResourceClaim what keeps its devices from others: its name, its allocation and
// whom it is reserved for. Empty for everything else, since half of it would mean something else.
std::string HoldingsOf(std::string_view json, std::string_view kind);

}  // namespace quadra::offline
