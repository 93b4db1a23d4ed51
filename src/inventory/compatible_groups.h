// CompatibleGroups: whether a device may join those that already draw on a counter set.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "api/kinds.h"

namespace quadra::inventory {

// Compatibility groups of the devices on one counter set: devices without groups go with their like
// only, others need a group that all of them have.
class CompatibleGroups {
 public:
  bool Admits(const api::List<std::string>& groups) const;
  void Add(const api::List<std::string>& groups);

 private:
  bool any_ = false;
  std::optional<std::set<std::string>> common_;  // none: no member has groups
};

}  // namespace quadra::inventory
