// best-fit: first the device whose taking costs others least.
//
// A device costs what nobody can have any more once it is taken: its own size, and the sizes of the
// partitions whose counters would no longer suffice. So the smallest device that serves is taken, a
// share comes from the fullest device, and a partition from a device that is broken up already, at
// the place that spoils the fewest larger partitions. Devices that cost the same keep the order in
// which they are published.
//
// Sizes compare devices of one node: a partition counts by the part of each counter that it draws,
// any other device by the part of the largest capacity of that name that is left of it.
//
// Cost, a node: the square of the partitions that draw on one counter set.
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "allocator/counters.h"
#include "allocator/placement_order.h"
#include "allocator/problem.h"

namespace quadra::allocator {
namespace {

class CostJudge {
 public:
  explicit CostJudge(const Problem& problem)
      : problem_(problem), candidates_(problem.node().candidates), counters_(problem) {
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      NoteCapacity(*candidates_[i].shape);
      NotePartition(i);
    }
    for (const Candidate& candidate : candidates_) {
      sizes_.push_back(SizeOf(candidate));
      can_be_had_.push_back(CanBeHad(candidate));
    }
  }

  std::vector<double> Costs() {
    std::vector<double> costs = sizes_;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const bool partition = !candidates_[i].shape->consumes_counters.empty();
      if (partition && can_be_had_[i] && counters_.Charge(candidates_[i])) {
        costs[i] += SpoiledBy(i);
        counters_.Refund(candidates_[i]);
      }
    }
    return costs;
  }

 private:
  using Key = std::pair<const inventory::Pool*, std::string_view>;  // a counter set

  void NoteCapacity(const inventory::DeviceShape& shape) {
    for (const auto& [name, capacity] : shape.capacity) {
      double& largest = largest_[name];
      largest = std::max(largest, capacity.value.AsApproximateDouble());
    }
  }

  void NotePartition(std::size_t i) {
    for (const auto& consumption : candidates_[i].shape->consumes_counters) {
      partitions_[{candidates_[i].pool, consumption.counter_set}].push_back(i);
    }
  }

  double SizeOf(const Candidate& candidate) const {
    return candidate.shape->consumes_counters.empty() ? CapacityOf(candidate)
                                                      : CountersOf(candidate);
  }

  double CountersOf(const Candidate& candidate) const {
    double size = 0;
    for (const auto& consumption : candidate.shape->consumes_counters) {
      const auto& sets = candidate.pool->counter_sets;
      const auto set = std::ranges::find(sets, consumption.counter_set, &api::CounterSet::name);
      for (const auto& [name, counter] : consumption.counters) {
        const api::Counter* whole = set != sets.end() ? (*set)->counters.Find(name) : nullptr;
        size += whole == nullptr ? 0 : PartOf(counter.value, whole->value.AsApproximateDouble());
      }
    }
    return size;
  }

  double CapacityOf(const Candidate& candidate) const {
    const inventory::HeldDevice* held = problem_.cluster().marks().HeldAt(candidate.row);
    double size = 0;
    for (const auto& [name, capacity] : candidate.shape->capacity) {
      quantity::Quantity left = capacity.value;
      if (held != nullptr && held->consumed.contains(name)) {
        left.Sub(held->consumed.find(name)->second);
      }
      size += PartOf(left, largest_.find(name)->second);
    }
    return size;
  }

  static double PartOf(const quantity::Quantity& amount, double whole) {
    return whole > 0 ? amount.AsApproximateDouble() / whole : 0;
  }

  bool CanBeHad(const Candidate& candidate) {
    return !problem_.cluster().marks().in_use.Test(candidate.row) &&
           !candidate.shape->consumes_counters.empty() && counters_.CouldCharge(candidate);
  }

  // What could be had before that device was charged, and not now.
  double SpoiledBy(std::size_t taken) {
    std::vector<std::size_t> rivals;
    for (const auto& consumption : candidates_[taken].shape->consumes_counters) {
      const auto& same_set = partitions_[{candidates_[taken].pool, consumption.counter_set}];
      rivals.insert(rivals.end(), same_set.begin(), same_set.end());
    }
    std::ranges::sort(rivals);
    const auto repeated = std::ranges::unique(rivals);
    rivals.erase(repeated.begin(), repeated.end());
    double spoiled = 0;
    for (const std::size_t i : rivals) {
      const bool is_spoiled =
          i != taken && can_be_had_[i] && !counters_.CouldCharge(candidates_[i]);
      spoiled += is_spoiled ? sizes_[i] : 0;
    }
    return spoiled;
  }

  const Problem& problem_;
  const std::vector<Candidate>& candidates_;
  Counters counters_;
  std::map<std::string, double, std::less<>> largest_;  // by name of the capacity
  std::map<Key, std::vector<std::size_t>> partitions_;  // that draw on it
  std::vector<double> sizes_;
  std::vector<bool> can_be_had_;  // partitions
};

}  // namespace

std::vector<std::uint32_t> BestFit(const Problem& problem) {
  const std::vector<double> costs = CostJudge(problem).Costs();
  std::vector<std::uint32_t> order(costs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return costs[i]; });
  return order;
}

}  // namespace quadra::allocator
