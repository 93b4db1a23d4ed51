// EstimateCost: the static estimate that admission compares with its limit, number by number as
// upstream computes it, unsound and overflowing where upstream's is.
//
// Pure; time linear in the nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "cel/checked.h"

namespace quadra::cel {

struct CostRange {
  std::uint64_t min = 0;
  std::uint64_t max = 0;
};

// What is known about the sizes of variables. `path` starts with the variable's name; "@items",
// "@keys" and "@values" stand for elements.
class SizeHints {
 public:
  virtual ~SizeHints() = default;
  virtual std::optional<CostRange> Size(std::span<const std::string_view> path) const = 0;
};

CostRange EstimateCost(const CheckedAst& checked, const SizeHints& hints);

}  // namespace quadra::cel
