// SmallerRequest: less capacity, where a request asks for more than devices have, or have left.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "allocator/verdicts.h"
#include "api/kinds.h"
#include "inventory/inventory.h"

namespace quadra::allocator {

struct SmallerRequest {
  api::Map<quantity::Quantity> requests;  // instead
  std::string text;                       // e.g. capacity memory from 401G to 400G
};

// For each device of the nodes that the verdicts accept the most that could be asked of it now; what
// differs, least change first, and not too many of them. None that changes nothing.
std::vector<SmallerRequest> SmallerRequests(const inventory::Snapshot& cluster,
                                            std::span<const inventory::NodeView* const> nodes,
                                            const selector::Sequenced& verdicts,
                                            const api::Map<quantity::Quantity>& wanted);

}  // namespace quadra::allocator
