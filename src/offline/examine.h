// Examination: what every node says to the claims of a pod, with all its reasons; nothing is
// placed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "allocator/explain.h"
#include "api/kinds.h"
#include "inventory/inventory.h"

namespace quadra::offline {

struct NodeAnswer {
  const inventory::NodeView* view = nullptr;
  bool fits = false;
  std::int64_t score = 0;                 // fits: how good the alternatives are
  std::vector<allocator::NoFit> reasons;  // does not fit: why
};

struct Examination {
  const api::Pod* pod = nullptr;            // null: claims by themselves
  std::vector<api::ResourceClaim> claims;   // as they stand, in order; what nodes add is not here
  std::optional<allocator::NoFit> refusal;  // what no node could change; then there are no nodes
  std::vector<NodeAnswer> nodes;            // by name
  std::uint64_t steps = 0;
};

}  // namespace quadra::offline
