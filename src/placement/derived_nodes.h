// DerivedNodes: nodes to place on where nobody gave any.
#pragma once

#include <optional>
#include <string>

#include "inventory/inventory.h"

namespace quadra::placement {

// A fork of what is published. Where it has no nodes they are derived, without labels, taints and
// features: those that slices and their devices name, and `wanted`; or else one called `any`.
inventory::Inventory WithNodes(const inventory::Snapshot& published,
                               const std::optional<std::string>& wanted);

}  // namespace quadra::placement
