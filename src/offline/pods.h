// Pods: which pods of a dump wait for devices, and in which order the scheduler would serve them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/kinds.h"
#include "offline/claim_book.h"
#include "offline/dump.h"
#include "offline/extended_resources.h"

namespace quadra::offline {

struct PodQueue {
  // By priority, highest first; then by age, oldest first (without a time: last); then by name.
  std::vector<const api::Pod*> waiting;
  std::size_t finished = 0;  // Succeeded or Failed
  std::size_t deleting = 0;
  std::size_t gated = 0;           // have scheduling gates
  std::size_t served = 0;          // are on their nodes, and all their claims are allocated
  std::size_t without_claims = 0;  // want no devices
};

// The pods point into `dump`.
PodQueue QueueOf(const Dump& dump, const ClaimBook& claims, const ExtendedResources& extended);

// spec.priority; else that of its class, 0 where the dump has no such class.
std::int32_t PriorityOf(const api::Pod& pod, const Dump& dump);

}  // namespace quadra::offline
