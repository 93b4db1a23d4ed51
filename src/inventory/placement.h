// Placement: which nodes a slice or a device is for.
#pragma once

#include <optional>
#include <string>

#include "api/kinds.h"

namespace quadra::inventory {

// Of node, all nodes and selector at most one is given; with none it is for no node we know of.
struct Placement {
  std::string node;
  bool all_nodes = false;
  std::optional<api::NodeSelector> selector;
  bool is_readable = true;  // false: the selector decides, and breaks the rules for selectors

  bool empty() const { return node.empty() && !all_nodes && !selector; }
  // Never where the selector is not readable.
  bool Serves(const api::Node& serving) const;
  friend bool operator==(const Placement&, const Placement&) = default;
};

Placement MakePlacement(const std::optional<std::string>& node,
                        const std::optional<bool>& all_nodes,
                        const std::optional<api::NodeSelector>& selector);

}  // namespace quadra::inventory
