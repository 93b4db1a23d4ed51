// Held: which devices are allocated, to whom, and how much of shared ones.
//
// Kept by events; the amounts of a device are the sums over its holders. Copies share what is equal
// (base/lineage.h): copying costs nothing, and a claim that changes costs its devices.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "base/hashed_map.h"
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
  void Set(Epoch writer, const std::string& claim, Holder holder);
  // Null if nobody holds it. Stays where it is until it is set anew, in this and in all copies.
  const HeldDevice* Find(const DeviceId& device) const {
    const std::shared_ptr<const HeldDevice>* found = devices_.Find(device);
    return found == nullptr ? nullptr : found->get();
  }
  const Holder* HolderOf(const std::string& claim) const { return holders_.Find(claim); }
  bool empty() const { return devices_.empty(); }

 private:
  void Take(Epoch writer, const std::string& claim, const Holding& holding);
  void Release(Epoch writer, const std::string& claim, const Holding& holding);

  HashedMap<DeviceId, std::shared_ptr<const HeldDevice>> devices_;  // with holders
  HashedMap<std::string, Holder> holders_;                          // with holdings
};

}  // namespace quadra::inventory
