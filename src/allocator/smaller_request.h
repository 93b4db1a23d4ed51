// SmallerRequest: less capacity, where a request asks for more than devices have, or have left, or
// takes more by asking for none.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "allocator/capacity.h"
#include "allocator/verdicts.h"
#include "api/kinds.h"
#include "inventory/inventory.h"

namespace quadra::allocator {

struct SmallerRequest {
  api::Map<quantity::Quantity> requests;  // instead
  std::string text;                       // e.g. capacity memory from 401G to 400G
};

// What asks for capacity, and which devices are accepted for it.
struct CapacityDemand {
  Wanted wanted = nullptr;
  std::shared_ptr<const selector::Sequenced> verdicts;
};

// For each device of the nodes that the demand accepts the most that could be asked of it now: as it
// is, and beside what one of the others, or all of them, take of it; also of what a shared device
// hands out by default. What differs, least change first, and not too many of them. None that
// changes nothing.
std::vector<SmallerRequest> SmallerRequests(const inventory::Snapshot& cluster,
                                            std::span<const inventory::NodeView* const> nodes,
                                            const CapacityDemand& demand,
                                            std::span<const CapacityDemand> others);

}  // namespace quadra::allocator
