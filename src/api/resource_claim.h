// ResourceClaim: what a pod asks for and what it got; ResourceClaimTemplate, from which claims are
// made (v1 shape).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/device_class.h"
#include "api/meta.h"
#include "quantity/quantity.h"

namespace quadra::api {

using quantity::Quantity;

struct DeviceToleration {
  std::string key;
  std::string op;  // Equal (the default) or Exists
  std::string value;
  std::string effect;  // empty tolerates all effects
  std::optional<std::int64_t> toleration_seconds;
  friend bool operator==(const DeviceToleration&, const DeviceToleration&) = default;
};

struct CapacityRequirements {
  Map<Quantity> requests;
  friend bool operator==(const CapacityRequirements&, const CapacityRequirements&) = default;
};

struct DeviceDerivedAttribute {
  std::string name;
  std::string expression;
  friend bool operator==(const DeviceDerivedAttribute&, const DeviceDerivedAttribute&) = default;
};

struct ExactDeviceRequest {
  std::string device_class_name;
  List<DeviceSelector> selectors;
  std::string allocation_mode;  // ExactCount or All
  std::int64_t count = 0;
  std::optional<bool> admin_access;
  List<DeviceToleration> tolerations;
  std::optional<CapacityRequirements> capacity;
  List<DeviceDerivedAttribute> derived_attributes;
  friend bool operator==(const ExactDeviceRequest&, const ExactDeviceRequest&) = default;
};

struct DeviceSubRequest {
  std::string name;
  std::string device_class_name;
  List<DeviceSelector> selectors;
  std::string allocation_mode;
  std::int64_t count = 0;
  List<DeviceToleration> tolerations;
  std::optional<CapacityRequirements> capacity;
  List<DeviceDerivedAttribute> derived_attributes;
  friend bool operator==(const DeviceSubRequest&, const DeviceSubRequest&) = default;
};

// One of `exactly` and `first_available` is given.
struct DeviceRequest {
  std::string name;
  std::optional<ExactDeviceRequest> exactly;
  List<DeviceSubRequest> first_available;
  friend bool operator==(const DeviceRequest&, const DeviceRequest&) = default;
};

struct DeviceConstraint {
  List<std::string> requests;  // "request" or "request/subrequest"; empty means all
  std::optional<std::string> match_attribute;
  std::optional<std::string> distinct_attribute;
  friend bool operator==(const DeviceConstraint&, const DeviceConstraint&) = default;
};

struct DeviceClaimConfiguration {
  List<std::string> requests;
  std::optional<OpaqueDeviceConfiguration> opaque;
  friend bool operator==(const DeviceClaimConfiguration&,
                         const DeviceClaimConfiguration&) = default;
};

struct DeviceClaim {
  List<DeviceRequest> requests;
  List<DeviceConstraint> constraints;
  List<DeviceClaimConfiguration> config;
  friend bool operator==(const DeviceClaim&, const DeviceClaim&) = default;
};

struct ResourceClaimSpec {
  DeviceClaim devices;
  friend bool operator==(const ResourceClaimSpec&, const ResourceClaimSpec&) = default;
};

struct DeviceRequestAllocationResult {
  std::string request;
  std::string driver;
  std::string pool;
  std::string device;
  std::optional<bool> admin_access;
  List<DeviceToleration> tolerations;
  List<std::string> binding_conditions;
  List<std::string> binding_failure_conditions;
  std::optional<std::string> share_id;
  Map<Quantity> consumed_capacity;
  List<std::string> skip_node_operations;
  friend bool operator==(const DeviceRequestAllocationResult&,
                         const DeviceRequestAllocationResult&) = default;
};

struct DeviceAllocationConfiguration {
  std::string source;  // FromClass or FromClaim
  List<std::string> requests;
  std::optional<OpaqueDeviceConfiguration> opaque;
  friend bool operator==(const DeviceAllocationConfiguration&,
                         const DeviceAllocationConfiguration&) = default;
};

struct DeviceAllocationResult {
  List<DeviceRequestAllocationResult> results;
  List<DeviceAllocationConfiguration> config;
  friend bool operator==(const DeviceAllocationResult&, const DeviceAllocationResult&) = default;
};

struct AllocationResult {
  DeviceAllocationResult devices;
  std::optional<NodeSelector> node_selector;  // absent: usable on every node
  std::optional<Time> allocation_timestamp;
  friend bool operator==(const AllocationResult&, const AllocationResult&) = default;
};

struct ResourceClaimConsumerReference {
  std::string api_group;
  std::string resource;
  std::string name;
  std::string uid;
  friend bool operator==(const ResourceClaimConsumerReference&,
                         const ResourceClaimConsumerReference&) = default;
};

struct NetworkDeviceData {
  std::string interface_name;
  List<std::string> ips;
  std::string hardware_address;
  friend bool operator==(const NetworkDeviceData&, const NetworkDeviceData&) = default;
};

struct AllocatedDeviceStatus {
  std::string driver;
  std::string pool;
  std::string device;
  std::optional<std::string> share_id;
  List<Condition> conditions;
  std::optional<RawJson> data;
  std::optional<NetworkDeviceData> network_data;
  friend bool operator==(const AllocatedDeviceStatus&, const AllocatedDeviceStatus&) = default;
};

struct ResourceClaimStatus {
  std::optional<AllocationResult> allocation;
  List<ResourceClaimConsumerReference> reserved_for;
  List<AllocatedDeviceStatus> devices;
  friend bool operator==(const ResourceClaimStatus&, const ResourceClaimStatus&) = default;
};

struct ResourceClaim {
  TypeMeta type;
  ObjectMeta metadata;
  ResourceClaimSpec spec;
  ResourceClaimStatus status;
  friend bool operator==(const ResourceClaim&, const ResourceClaim&) = default;
};

struct ResourceClaimTemplateSpec {
  ObjectMeta metadata;
  ResourceClaimSpec spec;
  friend bool operator==(const ResourceClaimTemplateSpec&,
                         const ResourceClaimTemplateSpec&) = default;
};

struct ResourceClaimTemplate {
  TypeMeta type;
  ObjectMeta metadata;
  ResourceClaimTemplateSpec spec;
  friend bool operator==(const ResourceClaimTemplate&, const ResourceClaimTemplate&) = default;
};

}  // namespace quadra::api
