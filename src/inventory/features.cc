#include "inventory/features.h"

namespace quadra::inventory {

Features FeaturesOf(const api::FeatureGates& gates) {
  using api::Gate;
  return {
      .admin_access = gates.Enabled(Gate::kDRAAdminAccess),
      .prioritized_list = gates.Enabled(Gate::kDRAPrioritizedList),
      .partitionable_devices = gates.Enabled(Gate::kDRAPartitionableDevices),
      .device_taints = gates.Enabled(Gate::kDRADeviceTaints),
      .binding_conditions = gates.Enabled(Gate::kDRADeviceBindingConditions) &&
                            gates.Enabled(Gate::kDRAResourceClaimDeviceStatus),
      .consumable_capacity = gates.Enabled(Gate::kDRAConsumableCapacity),
      .fractional_capacity_range = gates.Enabled(Gate::kDRAFractionalCapacityRange),
      .list_attributes = gates.Enabled(Gate::kDRAListTypeAttributes),
      .optional_node_operations = gates.Enabled(Gate::kDRAOptionalNodeOperations),
      .derived_attributes = gates.Enabled(Gate::kDRADerivedAttributes),
      .compatibility_groups = gates.Enabled(Gate::kDRADeviceCompatibilityGroups),
  };
}

}  // namespace quadra::inventory
