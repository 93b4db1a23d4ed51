// Node-allocatable amounts: how much of the node's own resources (cpu, memory, ephemeral-storage,
// huge pages) allocated devices imply, as their slices declare in nodeAllocatableResources (gate
// DRANodeAllocatableResources, which callers ask: nothing here is to be called where it is off).
//
// The answer has the shape of pod.status.nodeAllocatableResourceClaimStatuses, as the scheduler
// would write it. Pure. Amounts are exact, nothing is rounded. A device that is no longer published
// implies nothing that could be known, and is passed over.
//
//   const auto status = NodeAllocatableOf(allocation, cluster);       // one claim
//   if (status) { … AddContainers(*status, pod, "gpu"); }             // who refers to it
//   for (const auto& [resource, amount] : TotalOf(statuses)) …        // one pod
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/kinds.h"
#include "inventory/inventory.h"

namespace quadra::placement {

// Sums over the claim's devices: of a mapping with a capacityKey the consumed capacity times
// capacityMultiplier, else deviceMultiplier for each device; of overheads what is declared per pod
// and per container. A dedicated device consumes its capacity as a whole, where upstream refuses
// the pod (docs/deviations.md). Resources in the order of their names; the name of the claim and
// the containers are left to the caller. Nothing where no device declares anything.
// Cost: the slices of the devices' pools.
std::optional<api::NodeAllocatableResourceClaimStatus> NodeAllocatableOf(
    const api::AllocationResult& allocation, const inventory::Snapshot& cluster);

// Adds the containers, those for initialisation first, that refer to the claim by `pod_claim`, its
// name in spec.resourceClaims.
void AddContainers(api::NodeAllocatableResourceClaimStatus& status, const api::Pod& pod,
                   std::string_view pod_claim);

// The same of a claim that a pod uses: with its name and the containers that refer to it. `pod` is
// null for a claim by itself. Nothing where the claim is not allocated, or implies nothing.
std::optional<api::NodeAllocatableResourceClaimStatus> NodeAllocatableOf(
    const api::ResourceClaim& claim, const api::Pod* pod, const inventory::Snapshot& cluster);

using NodeAllocatableAmounts = std::map<std::string, quantity::Quantity, std::less<>>;

// What a pod needs of each resource beyond its containers' requests: each claim's mapping once,
// however many containers refer to it, its overhead per pod once, and its overhead per container
// for each container that refers to it.
NodeAllocatableAmounts TotalOf(std::span<const api::NodeAllocatableResourceClaimStatus> statuses);

}  // namespace quadra::placement
