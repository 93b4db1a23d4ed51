// Case: what is to be placed: the claims of a pod, or claims by themselves, with what decides which
// answers hold for others too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/kinds.h"
#include "placement/cluster.h"
#include "placement/extended_resources.h"
#include "placement/pod_requests.h"

namespace quadra::placement {

struct Case {
  const api::Pod* pod = nullptr;           // null: claims by themselves
  std::vector<api::ResourceClaim> claims;  // as they stand
  bool wants_extended = false;             // the pod wants extended resources that classes serve
  // Equal for cases that want the same devices, and for those that may run on the same nodes: what
  // is known of one holds for the other, whatever their names are.
  std::string question;
  std::string limits;
  std::int64_t best_score = 0;  // no node can have a better one
  PodRequests requests;         // what the pod asks of its node besides
  std::int32_t priority = 0;    // of the pod
};

// Extended resources of a pod that is on its node were settled before.
Case MakeCase(const api::Pod* pod, std::vector<api::ResourceClaim> claims,
              const ExtendedResources& extended, const Cluster& cluster);

// Whether an earlier one is the same claim: the pod names it twice.
bool IsRepeated(const std::vector<api::ResourceClaim>& claims, std::size_t index);

bool IsPending(const api::ResourceClaim& claim);
// Those to be allocated, in the order in which the allocator is to serve them.
std::vector<const api::ResourceClaim*> PendingOf(const std::vector<api::ResourceClaim>& claims);

}  // namespace quadra::placement
