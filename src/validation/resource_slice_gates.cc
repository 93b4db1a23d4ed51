// Which fields of a slice go when their gate is off.
#include <algorithm>

#include "validation/resource_slice.h"

namespace quadra::validation {
namespace {

using api::Device;
using api::ResourceSliceSpec;

bool UsesCompatibilityGroups(const Device& device) {
  return std::ranges::any_of(device.consumes_counters, [](const auto& consumption) {
    return !consumption.compatibility_groups.empty();
  });
}

bool UsesSharing(const Device& device) {
  return device.allow_multiple_allocations ||
         std::ranges::any_of(device.capacity, [](const auto& entry) {
           return entry.second.request_policy.has_value();
         });
}

bool UsesBinding(const Device& device) {
  return !device.binding_conditions.empty() || !device.binding_failure_conditions.empty() ||
         device.binds_to_node;
}

bool UsesPartitions(const Device& device) {
  return !device.consumes_counters.empty() || device.node_name || device.node_selector ||
         device.all_nodes;
}

bool UsesLists(const Device& device) {
  return std::ranges::any_of(device.attributes, [](const auto& entry) {
    const api::DeviceAttribute& a = entry.second;
    return !a.bool_values.is_nil() || !a.int_values.is_nil() || !a.string_values.is_nil() ||
           !a.version_values.is_nil();
  });
}

void DropCompatibilityGroups(Device& device, const Path& path, Dropped& dropped) {
  for (std::size_t i = 0; i < device.consumes_counters.size(); ++i) {
    const Path consumption = path.Child("consumesCounters", i);
    dropped.Reset(device.consumes_counters[i].compatibility_groups,
                  consumption.Child("compatibilityGroups"));
  }
}

void DropSharing(Device& device, const Path& path, Dropped& dropped) {
  dropped.Reset(device.allow_multiple_allocations, path.Child("allowMultipleAllocations"));
  for (auto& [key, capacity] : device.capacity) {
    const Path at = path.Child("capacity", key);
    dropped.Reset(capacity.request_policy, at.Child("requestPolicy"));
  }
}

void DropBinding(Device& device, const Path& path, Dropped& dropped) {
  dropped.Reset(device.binding_conditions, path.Child("bindingConditions"));
  dropped.Reset(device.binding_failure_conditions, path.Child("bindingFailureConditions"));
  dropped.Reset(device.binds_to_node, path.Child("bindsToNode"));
}

void DropPartitions(Device& device, const Path& path, Dropped& dropped) {
  dropped.Reset(device.consumes_counters, path.Child("consumesCounters"));
  dropped.Reset(device.node_name, path.Child("nodeName"));
  dropped.Reset(device.node_selector, path.Child("nodeSelector"));
  dropped.Reset(device.all_nodes, path.Child("allNodes"));
}

void DropLists(Device& device, const Path& path, Dropped& dropped) {
  for (auto& [key, attribute] : device.attributes) {
    const Path at = path.Child("attributes", key);
    dropped.Reset(attribute.bool_values, at.Child("bools"));
    dropped.Reset(attribute.int_values, at.Child("ints"));
    dropped.Reset(attribute.string_values, at.Child("strings"));
    dropped.Reset(attribute.version_values, at.Child("versions"));
  }
}

// A gated feature of devices.
struct Feature {
  Gate gate;
  bool (*used_by)(const Device&);
  void (*drop)(Device&, const Path&, Dropped&);
};

constexpr Feature kFeatures[] = {
    {Gate::kDRADeviceTaints, [](const Device& d) { return !d.taints.empty(); },
     [](Device& d, const Path& path, Dropped& dropped) {
       dropped.Reset(d.taints, path.Child("taints"));
     }},
    {Gate::kDRAPartitionableDevices, UsesPartitions, DropPartitions},
    {Gate::kDRADeviceBindingConditions, UsesBinding, DropBinding},
    {Gate::kDRAConsumableCapacity, UsesSharing, DropSharing},
    {Gate::kDRADeviceCompatibilityGroups, UsesCompatibilityGroups, DropCompatibilityGroups},
    {Gate::kDRANodeAllocatableResources,
     [](const Device& d) { return !d.node_allocatable_resources.empty(); },
     [](Device& d, const Path& path, Dropped& dropped) {
       dropped.Reset(d.node_allocatable_resources, path.Child("nodeAllocatableResources"));
     }},
    {Gate::kDRAListTypeAttributes, UsesLists, DropLists},
};

// Partitions show in the slice itself too.
bool UsesSlicePartitions(const ResourceSliceSpec& spec) {
  return !spec.shared_counters.empty() || spec.per_device_node_selection;
}

bool Uses(const ResourceSliceSpec& spec, const Feature& feature) {
  return std::ranges::any_of(spec.devices, feature.used_by) ||
         (feature.gate == Gate::kDRAPartitionableDevices && UsesSlicePartitions(spec));
}

void Drop(const Request& request, ResourceSliceSpec& spec, const Feature& feature,
          Dropped& dropped) {
  const Path path("spec");
  if (feature.gate == Gate::kDRAPartitionableDevices) {
    dropped.Reset(spec.shared_counters, path.Child("sharedCounters"));
    dropped.Reset(spec.per_device_node_selection, path.Child("perDeviceNodeSelection"));
  }
  for (std::size_t i = 0; i < spec.devices.size(); ++i) {
    const Path device = path.Child("devices", i);
    feature.drop(spec.devices[i], device.Child(request.version == "v1beta1" ? "basic" : ""),
                 dropped);
  }
}

}  // namespace

void DropGatedFields(const Request& request, api::ResourceSlice& slice,
                     const api::ResourceSlice* old, Dropped& dropped) {
  for (const Feature& feature : kFeatures) {
    if (!request.gates.Enabled(feature.gate) && (old == nullptr || !Uses(old->spec, feature))) {
      Drop(request, slice.spec, feature, dropped);
    }
  }
  const Path path("spec");
  if (!request.gates.Enabled(Gate::kDRAPartitionableDevicesType) &&
      (old == nullptr || !old->spec.partition_type_attribute)) {
    dropped.Reset(slice.spec.partition_type_attribute, path.Child("partitionTypeAttribute"));
  }
  if (!request.gates.Enabled(Gate::kDRAOptionalNodeOperations) &&
      (old == nullptr || old->spec.skip_node_operations.empty())) {
    dropped.Reset(slice.spec.skip_node_operations, path.Child("skipNodeOperations"));
  }
}

}  // namespace quadra::validation
