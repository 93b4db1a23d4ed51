// Remainder: what is left of a pool's shared counters, and of a shared device's capacity.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "inventory/inventory.h"

namespace quadra::diagnosis {

// How much of something is used.
struct Level {
  std::string set;   // of a counter; empty for a capacity
  std::string name;  // of the counter or the capacity
  quantity::Quantity used;
  quantity::Quantity total;
};

// The counters of a pool, less what its held devices consume, and the compatibility groups these
// leave open. May go below zero. Not thread-safe.
class CountersLeft {
 public:
  CountersLeft() = default;
  // REQUIRES: a pool that is ready.
  explicit CountersLeft(const inventory::Pool& pool);

  // Takes what the device consumes; to be called once a held device.
  void Take(const inventory::DeviceShape& shape);
  // Whether the device could be taken as well. None can while a counter of the pool is overdrawn.
  bool Admits(const inventory::DeviceShape& shape) const;
  // How much of its counter sets the device takes as they are when nothing is held: of each set the
  // mean part of its counters, summed; 0 where it consumes none. So a device with all of a set has
  // 1, whether that is one counter or many.
  double ShareOf(const inventory::DeviceShape& shape) const;

  // What is used of each counter, by set and name.
  std::vector<Level> Levels() const;

 private:
  struct Counter {
    quantity::Quantity whole;
    quantity::Quantity left;
  };
  struct Set {
    std::map<std::string, Counter> counters;
    inventory::CompatibleGroups groups;
  };
  const Counter* Find(const std::string& set, const std::string& counter) const;
  bool IsOverdrawn() const;
  bool Admits(const api::DeviceCounterConsumption& consumption) const;

  std::map<std::string, Set> sets_;
};

// Of each capacity of a device that is shared, by name.
std::vector<Level> CapacityLevels(const inventory::DeviceShape& shape,
                                  const inventory::Amounts& consumed);

// What is left of a capacity, and whether that is enough for the smallest share that its policy
// allows, which may be zero; without a policy, whether anything is left. A capacity of zero bounds
// nothing.
quantity::Quantity CapacityLeft(const api::DeviceCapacity& capacity, const std::string& name,
                                const inventory::Amounts& consumed);
bool HasRoom(const inventory::DeviceShape& shape, const inventory::Amounts& consumed);

}  // namespace quadra::diagnosis
