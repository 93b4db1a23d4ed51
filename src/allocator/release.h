// Release: which claims would have to go for others to fit.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "inventory/inventory.h"

namespace quadra::allocator {

// Keys of the claims that hold devices of the pools that the node sees: nobody else stands in the
// way there.
std::set<std::string> HoldersSeenFrom(const inventory::NodeView& node,
                                      const inventory::Snapshot& cluster);

// The cluster as it would be without what these claims hold.
inventory::Snapshot Released(const inventory::Snapshot& cluster, std::span<const std::string> keys);

// The fewest of the claims after whose release `fits` says yes; empty where not even all of them
// help. Relies on that releasing more never hurts. Asks `fits` at most kMostTrials times; where that
// is not enough, there may be fewer than those it names.
inline constexpr std::size_t kMostTrials = 500;
using FitsWithout = absl::FunctionRef<bool(std::span<const std::string>)>;
std::vector<std::string> FewestToRelease(const std::vector<std::string>& keys, FitsWithout fits);

}  // namespace quadra::allocator
