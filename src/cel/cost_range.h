// Arithmetic on ranges of sizes and costs, as the estimate needs it: sums and products stop at the
// largest number, factors round up. Private to cel/.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "cel/checked.h"

namespace quadra::cel {

inline constexpr std::uint64_t kUnbounded = std::numeric_limits<std::uint64_t>::max();
inline constexpr CostRange kUnknownSize = {.min = 0, .max = kUnbounded};

// What traversing one character costs, and what one character of a pattern does.
inline constexpr double kTraversal = 0.1;
inline constexpr double kPatternLength = 0.25;
inline constexpr std::uint64_t kListCost = 10;
inline constexpr std::uint64_t kMapCost = 30;
inline constexpr std::uint64_t kStructCost = 40;

constexpr CostRange Fixed(std::uint64_t value) { return {.min = value, .max = value}; }

constexpr std::uint64_t AddBounded(std::uint64_t a, std::uint64_t b) {
  return a > kUnbounded - b ? kUnbounded : a + b;
}

constexpr std::uint64_t MultiplyBounded(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kUnbounded / b ? kUnbounded : a * b;
}

// 2^64, the first number that is too large.
inline constexpr double kTooLarge = 18446744073709551616.0;

inline std::uint64_t MultiplyByFactor(std::uint64_t value, double factor) {
  const double real = static_cast<double>(value);
  const double product = std::ceil(real * factor);
  const bool too_large = (factor > 0 && real > kTooLarge / factor) || product >= kTooLarge;
  return too_large ? kUnbounded : static_cast<std::uint64_t>(product);
}

constexpr CostRange operator+(CostRange a, CostRange b) {
  return {.min = AddBounded(a.min, b.min), .max = AddBounded(a.max, b.max)};
}

constexpr CostRange operator*(CostRange a, CostRange b) {
  return {.min = MultiplyBounded(a.min, b.min), .max = MultiplyBounded(a.max, b.max)};
}

inline CostRange operator*(CostRange range, double factor) {
  return {.min = MultiplyByFactor(range.min, factor), .max = MultiplyByFactor(range.max, factor)};
}

// The smallest range that holds both.
constexpr CostRange Union(CostRange a, CostRange b) {
  return {.min = std::min(a.min, b.min), .max = std::max(a.max, b.max)};
}

}  // namespace quadra::cel
