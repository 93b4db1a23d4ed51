// DerivedNodes: the nodes to place on, also where nobody gave any.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/kinds.h"
#include "inventory/inventory.h"

namespace quadra::placement {

// A fork of what is published. Where it has no nodes they are derived, without labels, taints and
// features: those that slices and their devices name, and `wanted`; or else one called `any`.
inventory::Inventory WithNodes(const inventory::Snapshot& published,
                               const std::optional<std::string>& wanted);

// Those of a snapshot in order of their names; `only` that one where it is given.
std::vector<std::shared_ptr<const api::Node>> NodesOf(const inventory::Snapshot& devices,
                                                      const std::optional<std::string>& only);

}  // namespace quadra::placement
