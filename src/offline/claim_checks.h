// ClaimChecks: what is wrong with a claim whatever the node: it needs no search.
#pragma once

#include <optional>
#include <string>

#include "allocator/explain.h"
#include "api/kinds.h"
#include "inventory/inventory.h"
#include "offline/dump.h"

namespace quadra::offline {

struct Hopeless {
  std::optional<reasons::Code> code;  // nothing: the API server would not have taken the claim
  std::string request;                // request, or request/alternative
  std::string message;                // one sentence
};

// ClassMissing, TooManyDevices, AdminAccessDenied, or a count below 1; nothing where the claim has
// a chance. Where the dump lacks the Namespace of a claim, admin access is taken to be granted.
std::optional<Hopeless> WhyHopeless(const api::ResourceClaim& claim,
                                    const inventory::Snapshot& cluster, const Dump& dump);

}  // namespace quadra::offline
