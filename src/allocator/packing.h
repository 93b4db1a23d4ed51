// Packing: how many of some devices could be had at once, where each draws on several counters.
//
// A bound for searches, in whole numbers. Exact for one counter, and for two that are small; of
// more counters what holds of each holds of their sum, and of every two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quadra::allocator {

// What is left of a counter, and what each device draws on it.
struct CounterColumn {
  std::int64_t left = 0;
  std::vector<std::int64_t> draws;
};
// Amounts must not be greater, nor below zero.
inline constexpr std::int64_t kMostPackedAmount = std::int64_t{1} << 55U;

struct Packed {
  std::size_t most = 0;   // no more than these; at most `enough`
  std::size_t steps = 0;  // of work
};
// REQUIRES: at least one column; all have as many draws.
Packed MostPacked(std::vector<CounterColumn> columns, std::size_t enough);

}  // namespace quadra::allocator
