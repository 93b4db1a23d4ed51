#include "scheduler/devices/rivals.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace quadra::scheduler {
namespace {

using inventory::DeviceId;
using inventory::HeldDevice;
using inventory::Holding;
using quantity::Quantity;

class Search {
 public:
  Search(const api::ResourceClaim& mine, const api::AllocationResult& given, std::uint64_t since,
         const inventory::Snapshot& devices, const ClaimCopies& copies)
      : key_(inventory::ClaimKey(mine)),
        since_(since),
        devices_(devices),
        copies_(copies),
        holdings_(inventory::HoldingsOf(given, devices.features().consumable_capacity)) {}

  std::optional<Rival> Find() {
    for (const Holding& mine : holdings_) {
      std::optional<Rival> rival = AtDevice(mine);
      if (!rival) {
        rival = AtCounters(mine.device);
      }
      if (rival) {
        return rival;
      }
    }
    return std::nullopt;
  }

 private:
  // Whether the claim had its devices before; null: it had not, or is not written at all.
  ClaimPtr Earlier(const std::string& key) const {
    const ClaimPtr claim = key == key_ ? nullptr : copies_.FindShown(key);
    const bool earlier =
        claim != nullptr && claim->status.allocation && copies_.FirstShown(key) <= since_;
    return earlier ? claim : nullptr;
  }

  // Those that hold the device, each once.
  std::set<std::string> HoldersOf(const DeviceId& device) const {
    const HeldDevice* const held = devices_.held().Find(device);
    return held == nullptr ? std::set<std::string>()
                           : std::set<std::string>(held->holders.begin(), held->holders.end());
  }

  std::optional<Rival> AtDevice(const Holding& mine) const {
    inventory::Amounts taken;
    AddTo(taken, mine.device, holdings_);
    for (const std::string& key : HoldersOf(mine.device)) {
      const ClaimPtr other = Earlier(key);
      const inventory::Holder* const holder = devices_.held().HolderOf(key);
      if (other == nullptr || holder == nullptr) {
        continue;
      }
      const bool alone =
          !mine.shared || std::ranges::any_of(holder->holdings, [&](const Holding& each) {
            return each.device == mine.device && !each.shared;
          });
      AddTo(taken, mine.device, holder->holdings);
      if (alone || !HasRoomFor(mine.device, taken)) {
        return Rival{.claim = holder->claim, .device = mine.device};
      }
    }
    return std::nullopt;
  }

  static void AddTo(inventory::Amounts& taken, const DeviceId& device,
                    const std::vector<Holding>& holdings) {
    for (const Holding& each : holdings) {
      if (each.device == device) {
        for (const auto& [name, amount] : each.consumed) {
          taken[name].Add(amount);
        }
      }
    }
  }

  bool HasRoomFor(const DeviceId& device, const inventory::Amounts& taken) const {
    const inventory::DeviceShape* const shape = ShapeOf(device);
    return shape == nullptr || std::ranges::all_of(taken, [&](const auto& each) {
             const api::DeviceCapacity* const capacity = shape->capacity.Find(each.first);
             return capacity == nullptr || each.second <= capacity->value;
           });
  }

  // Null where it is not published.
  const inventory::DeviceShape* ShapeOf(const DeviceId& device) const {
    const inventory::DeviceShape* shape = nullptr;
    VisitPool(device, [&](const inventory::Slice& /*slice*/, const inventory::Device& each) {
      shape = each.name == device.device ? each.shape.get() : shape;
    });
    return shape;
  }

  const inventory::SliceList& PoolOf(const DeviceId& device) const {
    return devices_.slices().OfPool(inventory::PoolKey(device.driver, device.pool));
  }

  template <typename Visit>
  void VisitPool(const DeviceId& device, const Visit& visit) const {
    const inventory::SliceList& slices = PoolOf(device);
    const std::int64_t newest = inventory::NewestGeneration(slices);
    for (const auto& slice : slices) {
      for (const inventory::Device& each : slice->devices) {
        if (slice->generation == newest) {
          visit(*slice, each);
        }
      }
    }
  }

  // --- Counters, by set and name.
  using Counters = std::map<std::pair<std::string, std::string>, Quantity>;

  static void Charge(Counters& counters, const inventory::DeviceShape& shape) {
    for (const api::DeviceCounterConsumption& set : shape.consumes_counters) {
      for (const auto& [name, counter] : set.counters) {
        counters[{set.counter_set, name}].Add(counter.value);
      }
    }
  }

  Counters Available(const DeviceId& device) const {
    Counters available;
    for (const auto& slice : PoolOf(device)) {
      for (const api::CounterSet& set : slice->shared_counters) {
        for (const auto& [name, counter] : set.counters) {
          available[{set.name, name}] = counter.value;
        }
      }
    }
    return available;
  }

  // Devices of the pool that others had before and that draw on what ours draws on.
  std::optional<Rival> AtCounters(const DeviceId& device) {
    const inventory::DeviceShape* const shape = ShapeOf(device);
    if (shape == nullptr || shape->consumes_counters.empty()) {
      return std::nullopt;
    }
    Counters mine;
    Charge(mine, *shape);
    Counters all;
    std::optional<Rival> other;
    VisitPool(device, [&](const inventory::Slice& slice, const inventory::Device& each) {
      const DeviceId id{slice.driver, slice.pool, each.name};
      const bool is_mine = std::ranges::find(holdings_, id, &Holding::device) != holdings_.end();
      bool counts = is_mine;
      for (const std::string& key : HoldersOf(id)) {
        const ClaimPtr holder = Earlier(key);
        counts = counts || holder != nullptr;
        if (holder != nullptr && SharesCounters(mine, *each.shape)) {
          other = Rival{.claim = api::FullNameOf(*holder), .device = id};
        }
      }
      if (counts) {
        Charge(all, *each.shape);
      }
    });
    const Counters available = Available(device);
    const bool exceeded = std::ranges::any_of(mine, [&](const auto& each) {
      const auto limit = available.find(each.first);
      return limit != available.end() && all[each.first] > limit->second;
    });
    return exceeded ? other : std::nullopt;
  }

  static bool SharesCounters(const Counters& mine, const inventory::DeviceShape& shape) {
    Counters its;
    Charge(its, shape);
    return std::ranges::any_of(its, [&](const auto& each) { return mine.contains(each.first); });
  }

  const std::string key_;
  const std::uint64_t since_;
  const inventory::Snapshot& devices_;
  const ClaimCopies& copies_;
  const std::vector<Holding> holdings_;
};

}  // namespace

std::optional<Rival> FindRival(const api::ResourceClaim& mine, std::uint64_t since,
                               const inventory::Snapshot& devices, const ClaimCopies& copies) {
  const std::optional<api::AllocationResult>& given = mine.status.allocation;
  return given ? Search(mine, *given, since, devices, copies).Find() : std::nullopt;
}

}  // namespace quadra::scheduler
