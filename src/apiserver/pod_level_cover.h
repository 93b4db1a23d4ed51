// PodLevelCover: whether what a pod asks for as a whole covers what its containers ask for and what
// its devices take from the node besides (status.nodeAllocatableResourceClaimStatuses).
//
// Pure, thread-safe.
#pragma once

#include <optional>
#include <string>

#include "api/kinds.h"

namespace quadra::apiserver {

// What is too little, in upstream's words; nothing: it covers all. A pod that asks for nothing as a
// whole has nothing that could be too little.
std::optional<std::string> ShortOfDevices(const api::Pod& pod);

}  // namespace quadra::apiserver
