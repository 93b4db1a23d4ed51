// Stock: the pools of a cluster with their devices: what is free, who holds the rest, and what is
// wrong with it.
//
// Pools are taken as a node would see them that all of their slices are for. Pure. Cost: once the
// claims, then each pool when it is visited, so that there may be millions of devices.
//
//   const Stock stock(cluster, devices);
//   stock.Visit([](const PoolStock& pool) { … pool.free … pool.devices … });
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/kinds.h"
#include "base/clock.h"
#include "diagnosis/leak.h"
#include "diagnosis/remainder.h"
#include "inventory/inventory.h"
#include "placement/cluster.h"

namespace quadra::diagnosis {

// A claim that holds a device, or a share of it.
struct DeviceHolder {
  const api::ResourceClaim* claim = nullptr;  // the cluster's
  bool shared = false;
  inventory::Amounts consumed;
  std::vector<Consumer> consumers;
  Use use = Use::kInUse;
  std::optional<Time> since;  // when it was allocated
};

// In the order in which they are asked: the first that is true is a device's state.
enum class DeviceState : std::uint8_t {
  kUnpublished,  // held, and not in the pool's present generation
  kOverbooked,  // held as a whole by one claim and by another too, or in shares beyond its capacity
  kLeaked,      // some holder's consumers are all gone
  kUnknown,     // some holder's consumers could not be seen
  kInUse,
  kShared,
  kOutdated,    // only in slices of an older generation
  kIncomplete,  // slices of its pool are missing
  kInvalid,     // slices of its pool contradict each other
  kTainted,     // has a taint that keeps pods away
  kBlocked,     // the counters left in its pool do not suffice, or features leave it out
  kFree,
};
std::string_view NameOf(DeviceState state);

struct DeviceStock {
  inventory::DeviceId id;
  std::string node;   // empty where several may use it
  std::string slice;  // empty where no slice publishes it
  std::string uuid;   // its attribute `uuid`, if it has one
  DeviceState state = DeviceState::kFree;
  // Whether one more claim that asks for one device, or for the smallest share that its policies
  // allow, could take it now, tolerating no taints.
  bool free = false;
  // How much of its pool it stands for, or of itself where it is shared: see PoolStock::largest.
  double share = 0;
  std::vector<Level> capacity;  // of a device that may be shared
  std::vector<api::DeviceTaint> taints;
  std::vector<DeviceHolder> holders;
};

struct PoolStock {
  std::string driver;
  std::string name;
  std::string node;  // empty where several may use it
  std::int64_t generation = 0;
  std::size_t slices = 0;  // of the present generation, of so many:
  std::int64_t slices_wanted = 0;
  std::string state;            // ok, incomplete, invalid, gone: held, but no slice publishes it
  std::string reason;           // why it is not ok
  std::optional<Time> created;  // the oldest slice of the present generation
  // Counts of devices: those of the present generation, and of these the held, free and tainted
  // ones; then those with a leak and those that are not published any more.
  std::size_t published = 0, used = 0, free = 0, tainted = 0, leaked = 0, unpublished = 0;
  std::vector<Level> counters;  // that its partitions share
  // The free device with the greatest share: of the counter sets that it draws on, all their
  // counters taken together, for one that draws on any; else of the largest capacity of that name
  // in its pool, counting what is left; else 1. Of equals the first. Nothing where none is free.
  std::optional<std::size_t> largest;  // in devices
  std::vector<DeviceStock> devices;    // as published, by slice; then outdated and unpublished ones

  // driver/name
  std::string ToString() const { return driver + "/" + name; }
};

class Stock {
 public:
  // Both must outlive this; the devices are the cluster's.
  Stock(const placement::Cluster& cluster, const inventory::Snapshot& devices);

  // All pools by driver and name, also those that are held and not published any more.
  void Visit(const std::function<void(const PoolStock&)>& visit) const;

 private:
  using PoolName = std::pair<std::string, std::string>;  // driver and pool
  PoolStock StockOf(const PoolName& pool) const;

  const placement::Cluster& cluster_;
  const inventory::Snapshot& devices_;
  // By pool, then device; what nobody holds is not there.
  std::map<PoolName, std::map<std::string, std::vector<DeviceHolder>>> holders_;
};

}  // namespace quadra::diagnosis
