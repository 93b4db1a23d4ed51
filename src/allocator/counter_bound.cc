// A bound for searches among partitions: how many of some devices their counters could let have at
// once, where a walk would try every choice.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "allocator/counters.h"
#include "allocator/packing.h"

namespace quadra::allocator {
namespace {

using quantity::Quantity;

// How many of the draws, the smallest first, there is enough left for.
std::size_t MostWithin(const Quantity& left, std::vector<const Quantity*>& draws) {
  std::ranges::sort(draws, [](const Quantity* a, const Quantity* b) { return *a < *b; });
  Quantity sum;
  std::size_t most = 0;
  for (; most < draws.size(); ++most) {
    sum.Add(*draws[most]);
    if (sum > left) {
      break;
    }
  }
  return most;
}

// Nothing where that is no whole number, or too large a one.
std::optional<std::int64_t> WholeOf(const Quantity& amount) {
  const std::optional<std::int64_t> whole = amount.AsInt64();
  return whole && *whole >= 0 && *whole <= kMostPackedAmount ? whole : std::nullopt;
}

}  // namespace

// Devices are taken by the first set they draw on; what they draw on others is passed over.
std::size_t Counters::MostTogether(std::span<const Candidate* const> candidates,
                                   std::size_t enough) {
  using Key = std::pair<PoolCounters*, std::size_t>;
  std::map<Key, std::vector<const Draw*>> groups;
  std::size_t free = 0;
  for (const Candidate* candidate : candidates) {
    PoolCounters& counters = Of(*candidate->pool);
    const Draw& draw = DrawOf(*counters.layout, *candidate->shape);
    if (draw.memberships.empty()) {
      ++free;
    } else {
      groups[{&counters, draw.memberships.front().set}].push_back(&draw);
    }
  }
  std::size_t most = free;
  for (const auto& [key, draws] : groups) {
    most += MostOfGroup(*key.first, draws);
  }
  if (most < enough) {
    return most;
  }
  most = free;
  for (const auto& [key, draws] : groups) {
    most += MostPackedOf(*key.first, draws, enough);
  }
  return most;
}

std::size_t Counters::MostOfGroup(const PoolCounters& counters,
                                  const std::vector<const Draw*>& draws) {
  std::map<std::size_t, std::vector<const Quantity*>> by_counter;
  for (const Draw* draw : draws) {
    for (const Draw::Amount& amount : draw->amounts) {
      by_counter[amount.counter].push_back(&amount.value);
    }
  }
  std::size_t most = draws.size();
  for (auto& [counter, amounts] : by_counter) {
    const std::size_t without = draws.size() - amounts.size();
    most = std::min(most, without + MostWithin(counters.left[counter], amounts));
  }
  return most;
}

std::size_t Counters::MostPackedOf(const PoolCounters& counters,
                                   const std::vector<const Draw*>& draws, std::size_t enough) {
  std::map<std::size_t, CounterColumn> columns;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    for (const Draw::Amount& amount : draws[i]->amounts) {
      CounterColumn& column = columns[amount.counter];
      const std::optional<std::int64_t> left = WholeOf(counters.left[amount.counter]);
      const std::optional<std::int64_t> drawn = WholeOf(amount.value);
      if (!left || !drawn || !draws[i]->is_plain) {
        return MostOfGroup(counters, draws);
      }
      column.left = *left;
      column.draws.resize(draws.size(), 0);
      column.draws[i] = *drawn;
    }
  }
  if (columns.size() < 2) {
    return MostOfGroup(counters, draws);
  }
  std::vector<CounterColumn> all;
  all.reserve(columns.size());
  for (auto& [counter, column] : columns) {
    all.push_back(std::move(column));
  }
  const Packed packed = MostPacked(std::move(all), std::min(enough, draws.size()));
  bound_steps_ += packed.steps;
  return packed.most;
}

}  // namespace quadra::allocator
