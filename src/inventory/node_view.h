// NodeView: the devices that a node can reach, in the order in which upstream's allocator walks
// them.
//
// Made from slices and the node alone, so it stays as it is while claims come and go. Immutable;
// shared by the snapshots that agree on it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "inventory/pools.h"
#include "selector/selector.h"

namespace quadra::inventory {

struct Candidate {
  // Whether a device with nodes of its own is for this node.
  enum class Placed : std::uint8_t { kHere, kElsewhere, kUnreadable };

  const Pool* pool = nullptr;
  const Slice* slice = nullptr;
  const DeviceShape* shape = nullptr;
  selector::Row row = 0;
  std::uint32_t index = 0;  // in the slice
  Placed placed = Placed::kHere;
  bool is_supported = true;  // false: needs what the node does not have, or no feature allows
};

struct NodeView {
  std::shared_ptr<const api::Node> node;
  std::vector<Pool> pools;
  std::string unreadable;  // see NodePools
  std::vector<Candidate> candidates;

  NodeView() = default;
  NodeView(const NodeView&) = delete;  // candidates point into pools
  NodeView& operator=(const NodeView&) = delete;
};

// Cost: that of PoolsOf.
std::shared_ptr<const NodeView> MakeView(const SliceIndex& slices,
                                         const selector::DeviceTable& table,
                                         std::shared_ptr<const api::Node> node,
                                         const Features& features);

}  // namespace quadra::inventory
