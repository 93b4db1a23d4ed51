// Lists in hand-written rules: sizes and duplicates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "api/kinds.h"
#include "validation/field_error.h"
#include "validation/path.h"

namespace quadra::validation {

// Reports a list of more than `max` items, whose items are then not to be looked at. Declarative
// rules say the same.
template <typename T>
bool ReportSize(ErrorList& errors, const Path& path, const api::List<T>& items, std::size_t max) {
  if (items.size() <= max) {
    return false;
  }
  errors.TooMany(path, items.size(), max).WithOrigin("maxItems").Cover();
  return true;
}

// Indices of items that are `same(earlier, item)` as an earlier one. Cost: quadratic.
template <typename T, typename Same>
std::vector<std::size_t> RepeatedItems(const api::List<T>& items, Same same) {
  std::vector<std::size_t> repeated;
  for (std::size_t i = 1; i < items.size(); ++i) {
    const auto end = items.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(items.begin(), end,
                    [&](const T& earlier) { return same(earlier, items[i]); })) {
      repeated.push_back(i);
    }
  }
  return repeated;
}

inline constexpr auto kSameName = [](const auto& a, const auto& b) { return a.name == b.name; };

}  // namespace quadra::validation
