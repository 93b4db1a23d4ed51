// Which pods of a ReplicaSet go first when it has too many: upstream's ranking (ActivePodsWithRanks).
//
//   OrderForDeletion(candidates, loop.Now(), {.deletion_costs = true});
//   candidates.resize(too_many);
//
// First come: pods without a node; pending before unknown before running; those not ready; a lower
// controller.kubernetes.io/pod-deletion-cost; a node with more of the related pods; ready for a
// shorter time; more restarts of a container, then of a sidecar; younger. Times count by the power of
// two of their nanoseconds; alike ones go by uid.
//
// Pure. Cost: n log n comparisons.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "api/kinds.h"
#include "base/clock.h"

namespace quadra::lifecycle {

using PodPointer = std::shared_ptr<const api::Pod>;

struct DeletionCandidate {
  PodPointer pod;
  int related_here = 0;  // active pods of related sets on its node
};

struct DeletionOrderOptions {
  bool deletion_costs = true;
};

// Candidates of `pods`, where `related` are all pods of the sets that have the same owner.
std::vector<DeletionCandidate> CandidatesOf(std::span<const PodPointer> pods,
                                            std::span<const PodPointer> related);

// What should go first comes first. What is alike in everything keeps its order.
void OrderForDeletion(std::vector<DeletionCandidate>& candidates, Time now,
                      const DeletionOrderOptions& options);

}  // namespace quadra::lifecycle
