// Owners: references to owners that stand twice are kept once, with a word about it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"

namespace quadra::apiserver {

// What upstream says before the uids, of what was sent and of what a patch left.
inline constexpr std::string_view kRepeatedOwnersSent = "contains duplicate entries";
inline constexpr std::string_view kRepeatedOwnersLeft =
    "contains duplicate entries after mutating admission happens";

// Drops references that equal an earlier one in everything; `warnings` receives the word.
void DropRepeatedOwners(api::Object& object, std::string_view what,
                        std::vector<std::string>& warnings);

}  // namespace quadra::apiserver
