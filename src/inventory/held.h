// Held: which devices are allocated, to whom, and how much of shared ones.
//
// Kept by events; the amounts of a device are the sums over its holders. Copying is O(1): a copy
// sees the state of that moment, and what either side changes afterwards the other does not see.
// Any number of threads may read one Held while nobody writes it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "api/kinds.h"
#include "inventory/device.h"

namespace quadra::inventory {

using Amounts = std::map<std::string, quantity::Quantity, std::less<>>;  // by capacity name

// One result of an allocated claim.
struct Holding {
  DeviceId device;
  bool shared = false;  // has a share id, and shares count
  Amounts consumed;
};

struct Holder {
  std::string claim;  // namespace/name
  std::vector<Holding> holdings;
  std::vector<std::string> consumers;  // whom it is reserved for, e.g. pod/train-7
};

struct HeldDevice {
  std::size_t exclusive = 0;  // holders of the whole device
  std::size_t shares = 0;
  Amounts consumed;
  std::vector<std::string> holders;  // keys of claims, once a holding, in order of taking
};

// What the results of an allocation take. Admin access takes nothing. Without
// `consumable_capacity` a share is the whole device.
std::vector<Holding> HoldingsOf(const api::AllocationResult& allocation, bool consumable_capacity);

class Held {
 public:
  // Replaces what `claim` (its uid, or namespace/name) held; no holdings: releases it.
  void Set(const std::string& claim, Holder holder);
  // Null if nobody holds it.
  const HeldDevice* Find(const DeviceId& device) const;
  const Holder* HolderOf(const std::string& claim) const;
  // Whether nothing was ever held.
  bool empty() const { return top_->below == nullptr && top_->holders.empty(); }

 private:
  // Changes over an immutable layer below; an entry hides the one below, and an empty one means
  // that there is nothing any more.
  struct Layer {
    std::shared_ptr<const Layer> below;
    std::size_t depth = 0;
    absl::flat_hash_map<DeviceId, HeldDevice> devices;
    absl::flat_hash_map<std::string, Holder> holders;
  };
  // A layer that nobody else sees.
  Layer& Writable();
  HeldDevice& WritableDevice(const DeviceId& device);
  void Take(const std::string& claim, const Holding& holding);
  void Release(const std::string& claim, const Holding& holding);

  std::shared_ptr<Layer> top_ = std::make_shared<Layer>();
};

}  // namespace quadra::inventory
