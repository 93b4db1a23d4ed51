// Features: which parts of DRA are in force, as the scheduler's feature gates set them. Data read
// while planning; nothing below a plan asks again.
#pragma once

#include "api/vocabulary.h"

namespace quadra::inventory {

// Defaults are those of Kubernetes 1.37.
struct Features {
  bool admin_access = true;
  bool prioritized_list = true;
  bool partitionable_devices = true;
  bool device_taints = true;
  bool binding_conditions =
      true;  // gates DRADeviceBindingConditions and DRAResourceClaimDeviceStatus
  bool consumable_capacity = true;
  bool fractional_capacity_range = false;
  bool list_attributes = false;
  bool optional_node_operations = false;
  bool derived_attributes = false;
  bool compatibility_groups = false;

  // Upstream has two allocators and takes the newer one for these; the older one does not know of
  // slices that skip node operations.
  bool knows_node_operations() const {
    return list_attributes || optional_node_operations || derived_attributes ||
           compatibility_groups;
  }
  friend bool operator==(const Features&, const Features&) = default;
};

Features FeaturesOf(const api::FeatureGates& gates);

}  // namespace quadra::inventory
