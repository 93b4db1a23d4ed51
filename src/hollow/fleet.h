// Fleets: which hollow nodes there are, with which devices. A door of this folder.
//
//   PlainFleet({.nodes = 100, .devices_per_node = 8, .seed = 1})    // GPUs of a few sizes
//   DemoFleet(8)                                                    // 64 devices of three drivers
//
// Pure: the same numbers, the same fleet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hollow/hollow.h"

namespace quadra::hollow {

struct FleetSize {
  std::size_t nodes = 8;
  std::size_t devices_per_node = 8;
  std::uint64_t seed = 1;
};

// Whole GPUs: all of a node have one size, which the seed draws.
std::vector<HollowNode> PlainFleet(const FleetSize& size);

// Of eight nodes three have large GPUs, three small ones, and two one that is cut into partitions; all
// have a shareable NIC and CPU sets, which take from the node's own cpu. Eight devices each.
std::vector<HollowNode> DemoFleet(std::size_t nodes);

// Of all their pools.
std::size_t CountDevices(const std::vector<HollowNode>& nodes);

}  // namespace quadra::hollow
