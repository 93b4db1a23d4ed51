// A bound for searches among partitions: how many of some devices their counters could let have at
// once. Of one counter the smallest draws say that exactly, where a walk would try every choice.
#include <algorithm>
#include <map>
#include <utility>

#include "allocator/counters.h"

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

}  // namespace

// Devices are taken by the first set they draw on; what they draw on others is passed over.
std::size_t Counters::MostTogether(std::span<const Candidate* const> candidates) {
  using Key = std::pair<PoolCounters*, std::size_t>;
  std::map<Key, std::vector<const Draw*>> groups;
  std::size_t most = 0;
  for (const Candidate* candidate : candidates) {
    PoolCounters& counters = Of(*candidate->pool);
    const Draw& draw = DrawOf(*counters.layout, *candidate->shape);
    if (draw.memberships.empty()) {
      ++most;
    } else {
      groups[{&counters, draw.memberships.front().set}].push_back(&draw);
    }
  }
  for (const auto& [key, draws] : groups) {
    most += MostOfGroup(*key.first, draws);
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

}  // namespace quadra::allocator
