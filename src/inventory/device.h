// Device and Slice: what drivers publish, kept small. What expressions read is in the selector's
// table; what only allocation needs is in a DeviceShape, which devices that agree share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/hash/hash.h"
#include "api/kinds.h"
#include "base/hashed_map.h"
#include "inventory/features.h"
#include "inventory/placement.h"
#include "selector/selector.h"

namespace quadra::inventory {

struct DeviceId {
  std::string driver;
  std::string pool;
  std::string device;

  // driver/pool/device
  std::string ToString() const;
  friend bool operator==(const DeviceId&, const DeviceId&) = default;
  friend auto operator<=>(const DeviceId&, const DeviceId&) = default;
  template <typename H>
  friend H AbslHashValue(H hash, const DeviceId& id) {
    return H::combine(std::move(hash), id.driver, id.pool, id.device);
  }
};

// What a device is to allocation, with the features in force applied: nothing below asks for those
// again.
struct DeviceShape {
  std::string content;  // what it was made from, as JSON; equal shapes have equal content
  api::Map<api::DeviceCapacity> capacity;
  api::List<api::DeviceCounterConsumption> consumes_counters;
  api::List<api::DeviceTaint> taints;
  api::List<std::string> binding_conditions;
  api::List<std::string> binding_failure_conditions;
  api::Map<api::NodeAllocatableResource> node_allocatable;
  Placement placement;                      // where devices of a slice have their own
  bool allow_multiple_allocations = false;  // and shares are in force
  bool binds_to_node = false;
  bool is_selectable = true;           // false: has binding conditions, and those are not in force
  bool is_usable = true;               // false: is a partition, and those are not in force
  bool checks_capacity = true;         // capacity and its policies are in force
  bool counts_in_thousandths = false;  // ranges of capacity may be fractional
};

struct Device {
  std::string name;
  std::shared_ptr<const DeviceShape> shape;
};

// One published slice. Immutable once made.
struct Slice {
  std::string name;
  std::string driver;
  std::string pool;
  std::int64_t generation = 0;
  std::int64_t slices_of_pool = 0;
  Placement placement;
  bool devices_have_placements = false;  // perDeviceNodeSelection is true
  bool names_device_placements = false;  // perDeviceNodeSelection is given, true or not
  bool has_compatibility_groups = false;
  api::List<api::CounterSet> shared_counters;
  api::List<std::string> skip_node_operations;
  std::vector<Device> devices;
  // Devices, by place, with attributes that are published under the driver's domain by name only:
  // a bare name does not find these.
  std::map<std::uint32_t, std::set<std::string, std::less<>>> spelled_out;
  selector::SliceId rows = 0;  // in the table of the inventory

  DeviceId IdOf(std::size_t device) const { return {driver, pool, devices[device].name}; }
};

// Devices of equal shape share it, for as long as a slice has such a device. Copies share what is
// equal (base/lineage.h).
class ShapeStore {
 public:
  explicit ShapeStore(const Features& features) : features_(features) {}
  // A slice with the devices, whose shapes stay known until it is let go.
  Slice MakeSlice(Epoch writer, const api::ResourceSlice& slice);
  void LetGo(Epoch writer, const Slice& slice);
  std::size_t size() const { return shapes_.size(); }

 private:
  struct Known {
    std::shared_ptr<const DeviceShape> shape;
    std::size_t slices = 0;  // that have it
  };
  std::shared_ptr<const DeviceShape> ShapeFor(Epoch writer, const api::Device& device,
                                              const std::string& content);

  Features features_;
  HashedMap<std::string, Known> shapes_;  // by content
};

}  // namespace quadra::inventory
