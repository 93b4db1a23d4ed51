// Release: which claims would have to go for others to fit.
#pragma once

#include <set>
#include <span>
#include <string>

#include "inventory/inventory.h"

namespace quadra::allocator {

// Keys of the claims that hold devices of the pools that the node sees: nobody else stands in the
// way there.
std::set<std::string> HoldersSeenFrom(const inventory::NodeView& node,
                                      const inventory::Snapshot& cluster);

// The cluster as it would be without what these claims hold.
inventory::Snapshot Released(const inventory::Snapshot& cluster, std::span<const std::string> keys);

}  // namespace quadra::allocator
