#include "diagnosis/remainder.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace quadra::diagnosis {
namespace {

using quantity::Quantity;

// The least that a claim may have of it, as its policy says; nothing where any amount may be asked
// for. A policy that starts at zero lets claims use the device without a part of this capacity.
std::optional<Quantity> SmallestShare(const api::DeviceCapacity& capacity) {
  if (!capacity.request_policy) {
    return std::nullopt;
  }
  const api::CapacityRequestPolicy& policy = *capacity.request_policy;
  if (policy.valid_range) {
    return policy.valid_range->min.value_or(Quantity());
  }
  if (!policy.valid_values.empty()) {
    return policy.valid_values[0];
  }
  return policy.default_value && policy.default_value->IsZero() ? policy.default_value
                                                                : std::nullopt;
}

}  // namespace

CountersLeft::CountersLeft(const inventory::Pool& pool) {
  for (const api::CounterSet* set : pool.counter_sets) {
    for (const auto& [name, counter] : set->counters) {
      sets_[set->name].counters[name] = {counter.value, counter.value};
    }
  }
}

const CountersLeft::Counter* CountersLeft::Find(const std::string& set,
                                                const std::string& counter) const {
  const auto found = sets_.find(set);
  if (found == sets_.end()) {
    return nullptr;
  }
  const auto within = found->second.counters.find(counter);
  return within == found->second.counters.end() ? nullptr : &within->second;
}

// What the pool does not have is passed over, as for a device of an older generation.
void CountersLeft::Take(const inventory::DeviceShape& shape) {
  for (const api::DeviceCounterConsumption& consumption : shape.consumes_counters) {
    const auto set = sets_.find(consumption.counter_set);
    if (set == sets_.end()) {
      continue;
    }
    set->second.groups.Add(consumption.compatibility_groups);
    for (const auto& [name, counter] : consumption.counters) {
      if (const auto found = set->second.counters.find(name); found != set->second.counters.end()) {
        found->second.left.Sub(counter.value);
      }
    }
  }
}

bool CountersLeft::IsOverdrawn() const {
  return std::ranges::any_of(sets_, [](const auto& set) {
    return std::ranges::any_of(set.second.counters,
                               [](const auto& counter) { return counter.second.left.Sign() < 0; });
  });
}

bool CountersLeft::Admits(const api::DeviceCounterConsumption& consumption) const {
  const auto set = sets_.find(consumption.counter_set);
  return set != sets_.end() && set->second.groups.Admits(consumption.compatibility_groups) &&
         std::ranges::all_of(consumption.counters, [&](const auto& wanted) {
           const Counter* counter = Find(consumption.counter_set, wanted.first);
           return counter != nullptr && counter->left >= wanted.second.value;
         });
}

bool CountersLeft::Admits(const inventory::DeviceShape& shape) const {
  return shape.consumes_counters.empty() ||
         (!IsOverdrawn() &&
          std::ranges::all_of(shape.consumes_counters,
                              [&](const auto& consumption) { return Admits(consumption); }));
}

double CountersLeft::ShareOf(const inventory::DeviceShape& shape) const {
  double share = 0;
  for (const api::DeviceCounterConsumption& consumption : shape.consumes_counters) {
    const auto set = sets_.find(consumption.counter_set);
    if (set == sets_.end()) {
      continue;
    }
    double parts = 0;
    for (const auto& [name, counter] : consumption.counters) {
      const Counter* found = Find(consumption.counter_set, name);
      parts += found != nullptr && found->whole.Sign() > 0
                   ? counter.value.AsApproximateDouble() / found->whole.AsApproximateDouble()
                   : 0;
    }
    share += parts / static_cast<double>(std::max<std::size_t>(set->second.counters.size(), 1));
  }
  return share;
}

std::vector<Level> CountersLeft::Levels() const {
  std::vector<Level> levels;
  for (const auto& [set_name, set] : sets_) {
    for (const auto& [name, counter] : set.counters) {
      Level level{.set = set_name, .name = name, .used = counter.whole, .total = counter.whole};
      level.used.Sub(counter.left);
      levels.push_back(std::move(level));
    }
  }
  return levels;
}

std::vector<Level> CapacityLevels(const inventory::DeviceShape& shape,
                                  const inventory::Amounts& consumed) {
  std::vector<Level> levels;
  for (const auto& [name, capacity] : shape.capacity) {
    const auto used = consumed.find(name);
    levels.push_back({.set = "",
                      .name = name,
                      .used = used == consumed.end() ? Quantity::Of(0) : used->second,
                      .total = capacity.value});
  }
  return levels;
}

Quantity CapacityLeft(const api::DeviceCapacity& capacity, const std::string& name,
                      const inventory::Amounts& consumed) {
  Quantity left = capacity.value;
  if (const auto taken = consumed.find(name); taken != consumed.end()) {
    left.Sub(taken->second);
  }
  return left;
}

bool HasRoom(const inventory::DeviceShape& shape, const inventory::Amounts& consumed) {
  return std::ranges::all_of(shape.capacity, [&](const auto& entry) {
    const auto& [name, capacity] = entry;
    const Quantity left = CapacityLeft(capacity, name, consumed);
    const std::optional<Quantity> smallest = SmallestShare(capacity);
    return capacity.value.IsZero() || (smallest ? left >= *smallest : left.Sign() > 0);
  });
}

}  // namespace quadra::diagnosis
