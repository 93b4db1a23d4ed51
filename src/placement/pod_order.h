// PodOrder: which pods of a cluster wait for devices, and in which order the scheduler would serve
// them.
#pragma once

#include <cstddef>
#include <vector>

#include "api/kinds.h"
#include "placement/claim_book.h"
#include "placement/cluster.h"
#include "placement/extended_resources.h"

namespace quadra::placement {

struct PodQueue {
  // By priority, highest first; then by age, oldest first (without a time: last); then by name.
  std::vector<const api::Pod*> waiting;
  // With those that wait for a node alone, in the same order.
  std::vector<const api::Pod*> line;
  std::size_t finished = 0;  // Succeeded or Failed
  std::size_t deleting = 0;
  std::size_t gated = 0;           // have scheduling gates
  std::size_t served = 0;          // are on their nodes, and all their claims have devices there
  std::size_t without_claims = 0;  // want no devices; some of them are in line
};

// The pods are the cluster's, `nodes` those that it has: a pod on another node is taken at its word.
PodQueue QueueOf(const Cluster& cluster, const inventory::NodesByName& nodes,
                 const ClaimBook& claims, const ExtendedResources& extended);

// Whether it ran to its end.
bool IsFinished(const api::Pod& pod);

}  // namespace quadra::placement
