// ClaimChecks: what is wrong with a claim whatever the node: it needs no search.
#pragma once

#include <optional>
#include <vector>

#include "api/kinds.h"
#include "inventory/inventory.h"
#include "placement/cluster.h"
#include "reasons/refusal.h"

namespace quadra::placement {

// Invalid, ClassMissing, TooManyDevices or AdminAccessDenied; nothing where the claim has a chance.
// Where the Namespace of a claim is not known, admin access is taken to be granted.
// REQUIRES: a claim that is not allocated.
std::optional<reasons::Refusal> WhyHopeless(const api::ResourceClaim& claim,
                                            const inventory::Snapshot& devices,
                                            const Cluster& cluster);

// NotScheduled: the pod is on a node, and a claim of it waits for the scheduler, which does not look
// at such pods. Nothing where all of them are allocated, or the pod is on no node.
std::optional<reasons::Refusal> WhyNotScheduled(const std::vector<api::ResourceClaim>& claims,
                                                const api::Pod& pod,
                                                const inventory::Snapshot& devices);

// ClaimInUse: as many use the claim as may. Nothing where the pod may use it too.
std::optional<reasons::Refusal> WhyInUse(const api::ResourceClaim& claim, const api::Pod& pod);

}  // namespace quadra::placement
