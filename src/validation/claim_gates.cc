#include "validation/claim_gates.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "validation/claim_device_status.h"

namespace quadra::validation {
namespace {

// A demand is the exact part of a request or one of its alternatives.
template <typename Uses>
bool AnyDemand(const api::ResourceClaimSpec& spec, Uses uses) {
  return std::ranges::any_of(spec.devices.requests, [&](const api::DeviceRequest& request) {
    return (request.exactly && uses(*request.exactly)) ||
           std::ranges::any_of(request.first_available, uses);
  });
}

template <typename Uses>
bool AnyResult(const api::ResourceClaimStatus& status, Uses uses) {
  return status.allocation && std::ranges::any_of(status.allocation->devices.results, uses);
}

bool UsesTolerations(const api::ResourceClaimSpec& spec) {
  return AnyDemand(spec, [](const auto& demand) { return !demand.tolerations.empty(); });
}
bool UsesDerivedAttributes(const api::ResourceClaimSpec& spec) {
  return AnyDemand(spec, [](const auto& demand) { return !demand.derived_attributes.empty(); });
}
bool UsesCapacity(const api::ResourceClaimSpec& spec) {
  const auto distinct = [](const auto& constraint) {
    return constraint.distinct_attribute.has_value();
  };
  return std::ranges::any_of(spec.devices.constraints, distinct) ||
         AnyDemand(spec, [](const auto& demand) { return demand.capacity.has_value(); });
}
bool UsesShares(const api::ResourceClaim& claim) {
  const auto has_share = [](const auto& entry) { return entry.share_id.has_value(); };
  return UsesCapacity(claim.spec) || std::ranges::any_of(claim.status.devices, has_share) ||
         AnyResult(claim.status, [&](const auto& result) {
           return has_share(result) || !result.consumed_capacity.is_nil();
         });
}
bool UsesBindingConditions(const api::ResourceClaimStatus& status) {
  return AnyResult(status, [](const auto& result) {
    return !result.binding_conditions.is_nil() || !result.binding_failure_conditions.is_nil();
  });
}
bool UsesSkippedOperations(const api::ResourceClaimStatus& status) {
  return AnyResult(status, [](const auto& result) { return !result.skip_node_operations.empty(); });
}

// What the request may not carry.
struct DisabledSpec {
  bool tolerations;
  bool capacity;
  bool derived_attributes;
};
struct DisabledStatus {
  bool shares;
  bool binding_conditions;
  bool skipped_operations;
};

template <typename Demand>
void DropFromDemand(const Path& path, Demand& demand, const DisabledSpec& disabled,
                    Dropped& dropped) {
  if (disabled.tolerations) {
    dropped.Reset(demand.tolerations, path.Child("tolerations"));
  }
  if (disabled.capacity) {
    dropped.Reset(demand.capacity, path.Child("capacity"));
  }
  if (disabled.derived_attributes) {
    dropped.Reset(demand.derived_attributes, path.Child("derivedAttributes"));
  }
}

void DropFromResult(const Path& path, api::DeviceRequestAllocationResult& result,
                    const DisabledStatus& disabled, Dropped& dropped) {
  if (disabled.shares) {
    dropped.Reset(result.share_id, path.Child("shareID"));
    dropped.Reset(result.consumed_capacity, path.Child("consumedCapacity"));
  }
  if (disabled.binding_conditions) {
    dropped.Reset(result.binding_conditions, path.Child("bindingConditions"));
    dropped.Reset(result.binding_failure_conditions, path.Child("bindingFailureConditions"));
  }
  if (disabled.skipped_operations) {
    dropped.Reset(result.skip_node_operations, path.Child("skipNodeOperations"));
  }
}

// Entries of devices that are no longer allocated go, and what is left loses its share if need be.
// A list that got shorter is noted as a whole.
void DropFromDevices(const Path& path, api::ResourceClaimStatus& status,
                     const api::ResourceClaimStatus& old, bool drop_shares, Dropped& dropped) {
  const std::set<SharedDevice> before = AllocatedDevices(old);
  const std::set<SharedDevice> now = AllocatedDevices(status);
  const std::size_t size = status.devices.size();
  status.devices.EraseIf([&](const api::AllocatedDeviceStatus& entry) {
    SharedDevice device = SharedDeviceOf(entry);
    device.share = drop_shares ? "" : device.share;
    return before.contains(device) && !now.contains(device);
  });
  const bool shorter = status.devices.size() < size;
  Dropped unnoted;
  for (std::size_t i = 0; drop_shares && i < status.devices.size(); ++i) {
    const Path item = path.Index(i);
    (shorter ? unnoted : dropped).Reset(status.devices[i].share_id, item.Child("shareID"));
  }
  if (shorter) {
    dropped.Add(path);
  }
  if (status.devices.empty()) {
    status.devices.Reset();
  }
}

}  // namespace

void DropDisabledSpecFields(const Request& request, const Path& path, api::ResourceClaimSpec& spec,
                            const api::ResourceClaimSpec* old, Dropped& dropped) {
  const auto disabled = [&](Gate gate, bool (*in_use)(const api::ResourceClaimSpec&)) {
    return !request.gates.Enabled(gate) && (old == nullptr || !in_use(*old));
  };
  const DisabledSpec off{disabled(Gate::kDRADeviceTaints, UsesTolerations),
                         disabled(Gate::kDRAConsumableCapacity, UsesCapacity),
                         disabled(Gate::kDRADerivedAttributes, UsesDerivedAttributes)};
  const Path devices = path.Child("devices");
  for (std::size_t i = 0; i < spec.devices.requests.size(); ++i) {
    api::DeviceRequest& each = spec.devices.requests[i];
    const Path item = devices.Child("requests", i);
    if (each.exactly) {
      DropFromDemand(item.Child(request.version == "v1beta1" ? "" : "exactly"), *each.exactly, off,
                     dropped);
    }
    for (std::size_t j = 0; j < each.first_available.size(); ++j) {
      DropFromDemand(item.Child("firstAvailable", j), each.first_available[j], off, dropped);
    }
  }
  for (std::size_t i = 0; off.capacity && i < spec.devices.constraints.size(); ++i) {
    const Path item = devices.Child("constraints", i);
    dropped.Reset(spec.devices.constraints[i].distinct_attribute, item.Child("distinctAttribute"));
  }
}

void DropStatusFields(const Request& request, api::ResourceClaimStatus& status,
                      const api::ResourceClaim& old, Dropped& dropped) {
  const auto disabled = [&](Gate gate, bool in_use) {
    return !request.gates.Enabled(gate) && !in_use;
  };
  const DisabledStatus off{
      disabled(Gate::kDRAConsumableCapacity, UsesShares(old)),
      disabled(Gate::kDRADeviceBindingConditions, UsesBindingConditions(old.status)),
      disabled(Gate::kDRAOptionalNodeOperations, UsesSkippedOperations(old.status))};
  const Path path("status");
  const Path results = path.Child("allocation.devices.results");
  for (std::size_t i = 0; status.allocation && i < status.allocation->devices.results.size(); ++i) {
    DropFromResult(results.Index(i), status.allocation->devices.results[i], off, dropped);
  }
  DropFromDevices(path.Child("devices"), status, old.status, off.shares, dropped);
}

}  // namespace quadra::validation
