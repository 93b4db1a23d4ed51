// ResourceSlice: what a driver publishes, a part of a pool of devices (v1 shape; older versions
// convert to it).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/device_taint_rule.h"
#include "api/meta.h"
#include "quantity/quantity.h"

namespace quadra::api {

using quantity::Quantity;

struct ResourcePool {
  std::string name;
  std::int64_t generation = 0;
  std::int64_t resource_slice_count = 0;
  friend bool operator==(const ResourcePool&, const ResourcePool&) = default;
};

struct Counter {
  Quantity value;
  friend bool operator==(const Counter&, const Counter&) = default;
};

struct CounterSet {
  std::string name;
  Map<Counter> counters;
  friend bool operator==(const CounterSet&, const CounterSet&) = default;
};

// A union: exactly one member is given.
struct DeviceAttribute {
  std::optional<std::int64_t> int_value;
  std::optional<bool> bool_value;
  std::optional<std::string> string_value;
  std::optional<std::string> version_value;
  List<std::int64_t> int_values;
  List<bool> bool_values;
  List<std::string> string_values;
  List<std::string> version_values;
  friend bool operator==(const DeviceAttribute&, const DeviceAttribute&) = default;
};

struct CapacityRequestPolicyRange {
  std::optional<Quantity> min;
  std::optional<Quantity> max;
  std::optional<Quantity> step;
  friend bool operator==(const CapacityRequestPolicyRange&,
                         const CapacityRequestPolicyRange&) = default;
};

struct CapacityRequestPolicy {
  std::optional<Quantity> default_value;
  List<Quantity> valid_values;
  std::optional<CapacityRequestPolicyRange> valid_range;
  friend bool operator==(const CapacityRequestPolicy&, const CapacityRequestPolicy&) = default;
};

struct DeviceCapacity {
  Quantity value;
  std::optional<CapacityRequestPolicy> request_policy;
  friend bool operator==(const DeviceCapacity&, const DeviceCapacity&) = default;
};

struct DeviceCounterConsumption {
  std::string counter_set;
  Map<Counter> counters;
  List<std::string> compatibility_groups;
  friend bool operator==(const DeviceCounterConsumption&,
                         const DeviceCounterConsumption&) = default;
};

struct NodeAllocatableMapping {
  std::optional<std::string> capacity_key;
  std::optional<Quantity> capacity_multiplier;
  std::optional<Quantity> device_multiplier;
  friend bool operator==(const NodeAllocatableMapping&, const NodeAllocatableMapping&) = default;
};

struct NodeAllocatableOverhead {
  std::optional<Quantity> per_pod;
  std::optional<Quantity> per_container;
  friend bool operator==(const NodeAllocatableOverhead&, const NodeAllocatableOverhead&) = default;
};

struct NodeAllocatableResource {
  std::optional<NodeAllocatableMapping> mapping;
  std::optional<NodeAllocatableOverhead> overhead;
  friend bool operator==(const NodeAllocatableResource&, const NodeAllocatableResource&) = default;
};

struct Device {
  std::string name;
  Map<DeviceAttribute> attributes;
  Map<DeviceCapacity> capacity;
  List<DeviceCounterConsumption> consumes_counters;
  std::optional<std::string> node_name;
  std::optional<NodeSelector> node_selector;
  std::optional<bool> all_nodes;
  List<DeviceTaint> taints;
  std::optional<bool> binds_to_node;
  List<std::string> binding_conditions;
  List<std::string> binding_failure_conditions;
  std::optional<bool> allow_multiple_allocations;
  Map<NodeAllocatableResource> node_allocatable_resources;
  friend bool operator==(const Device&, const Device&) = default;
};

struct ResourceSliceSpec {
  std::string driver;
  ResourcePool pool;
  std::optional<std::string> node_name;
  std::optional<NodeSelector> node_selector;
  std::optional<bool> all_nodes;
  List<Device> devices;
  std::optional<bool> per_device_node_selection;
  List<CounterSet> shared_counters;
  std::optional<std::string> partition_type_attribute;
  List<std::string> skip_node_operations;
  friend bool operator==(const ResourceSliceSpec&, const ResourceSliceSpec&) = default;
};

struct ResourceSlice {
  TypeMeta type;
  ObjectMeta metadata;
  ResourceSliceSpec spec;
  friend bool operator==(const ResourceSlice&, const ResourceSlice&) = default;
};

}  // namespace quadra::api
