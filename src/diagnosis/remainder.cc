#include "diagnosis/remainder.h"

#include <algorithm>

namespace quadra::diagnosis {
namespace {

using quantity::Quantity;

// Zero where any amount may be asked for.
Quantity SmallestRequest(const api::DeviceCapacity& capacity) {
  if (!capacity.request_policy) {
    return {};
  }
  const api::CapacityRequestPolicy& policy = *capacity.request_policy;
  if (policy.valid_range) {
    return policy.valid_range->min.value_or(Quantity());
  }
  return policy.valid_values.empty() ? Quantity() : policy.valid_values[0];
}

}  // namespace

CountersLeft::CountersLeft(const inventory::Pool& pool) {
  for (const api::CounterSet* set : pool.counter_sets) {
    for (const auto& [name, counter] : set->counters) {
      sets_[set->name][name] = {counter.value, counter.value};
    }
  }
}

const CountersLeft::Counter* CountersLeft::Find(const std::string& set,
                                                const std::string& counter) const {
  const auto found = sets_.find(set);
  if (found == sets_.end()) {
    return nullptr;
  }
  const auto within = found->second.find(counter);
  return within == found->second.end() ? nullptr : &within->second;
}

void CountersLeft::Take(const inventory::DeviceShape& shape) {
  for (const api::DeviceCounterConsumption& consumption : shape.consumes_counters) {
    for (const auto& [name, counter] : consumption.counters) {
      if (Find(consumption.counter_set, name) != nullptr) {
        sets_[consumption.counter_set][name].left.Sub(counter.value);
      }
    }
  }
}

bool CountersLeft::Suffices(const inventory::DeviceShape& shape) const {
  for (const api::DeviceCounterConsumption& consumption : shape.consumes_counters) {
    for (const auto& [name, counter] : consumption.counters) {
      const Counter* found = Find(consumption.counter_set, name);
      if (found == nullptr || found->left < counter.value) {
        return false;
      }
    }
  }
  return true;
}

double CountersLeft::ShareOf(const inventory::DeviceShape& shape) const {
  double share = 0;
  for (const api::DeviceCounterConsumption& consumption : shape.consumes_counters) {
    for (const auto& [name, counter] : consumption.counters) {
      const Counter* found = Find(consumption.counter_set, name);
      if (found != nullptr && found->whole.Sign() > 0) {
        share = std::max(share,
                         counter.value.AsApproximateDouble() / found->whole.AsApproximateDouble());
      }
    }
  }
  return share;
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
    const Quantity smallest = SmallestRequest(capacity);
    return capacity.value.IsZero() || (left.Sign() > 0 && left >= smallest);
  });
}

}  // namespace quadra::diagnosis
