// PlacementOrder: in which order the devices of a node are tried. The first complete choice in that
// order is taken, so the order is the whole of a placement policy; the search does not know which
// one is in force.
//
// An order is one file with one function, an enumerator of Placement (allocator.h) and a row in
// placement_order.cc; a missing row does not compile.
#pragma once

#include <cstdint>
#include <vector>

#include "allocator/allocator.h"

namespace quadra::allocator {

class Problem;

// The candidates of the problem's node, by index, each once, in the order to try them. The problem
// has gone to the node, but its places are not numbered yet: only node(), pools(), cluster() and
// rules() may be asked.
using PlacementOrder = std::vector<std::uint32_t> (*)(const Problem& problem);

// Null for the order in which they are published.
PlacementOrder OrderOf(Placement placement);

std::vector<std::uint32_t> BestFit(const Problem& problem);  // best_fit.cc

}  // namespace quadra::allocator
