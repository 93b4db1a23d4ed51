// PublishedNames: which attributes and capacities some device of a cluster has, and which one a
// selector that reads another probably means.
#pragma once

#include <string>
#include <vector>

#include "selector/selector.h"

namespace quadra::allocator {

// An attribute or capacity that no device has.
struct UnknownName {
  selector::ColumnName column;
  // What is probably misspelt of it, its own name or else its domain, and what devices have instead;
  // both empty: nothing is near.
  std::string wrong;
  std::string nearest;

  // attribute gpu.example.com/modle
  std::string ToString() const;
};

// Those that the expression reads. REQUIRES: it compiled. Cost: the distinct devices.
std::vector<UnknownName> UnknownNames(const selector::Expression& expression,
                                      const selector::DeviceTable& table);

// The text with one name in place of the other, wherever that stands by itself.
std::string WithName(const std::string& text, const std::string& name, const std::string& instead);

}  // namespace quadra::allocator
