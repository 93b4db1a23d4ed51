// ResourcePoolStatusRequest: asks the control plane once how full the pools of a driver are
// (v1alpha3).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/meta.h"
#include "quantity/quantity.h"

namespace quadra::api {

using quantity::Quantity;

struct ResourcePoolStatusRequestSpec {
  std::string driver;
  std::optional<std::string> pool_name;
  std::optional<std::int32_t> limit;
  std::optional<std::string> default_partition_type_attribute;
  friend bool operator==(const ResourcePoolStatusRequestSpec&,
                         const ResourcePoolStatusRequestSpec&) = default;
};

struct PartitionTypeStatus {
  std::string attribute;
  std::string type;
  std::optional<std::int32_t> total;
  std::optional<std::int32_t> allocatable;
  friend bool operator==(const PartitionTypeStatus&, const PartitionTypeStatus&) = default;
};

struct ShareableCapacityStatus {
  std::string name;
  std::optional<Quantity> total;
  std::optional<Quantity> consumed;
  std::optional<Quantity> available;
  friend bool operator==(const ShareableCapacityStatus&, const ShareableCapacityStatus&) = default;
};

struct ShareableSummaryStatus {
  std::optional<std::int32_t> fully_available_devices;
  std::optional<std::int32_t> partially_available_devices;
  List<ShareableCapacityStatus> capacity;
  friend bool operator==(const ShareableSummaryStatus&, const ShareableSummaryStatus&) = default;
};

struct PoolStatus {
  std::string driver;
  std::string pool_name;
  std::int64_t generation = 0;
  std::optional<std::int32_t> resource_slice_count;
  std::optional<std::int32_t> total_devices;
  std::optional<std::int32_t> allocated_devices;
  std::optional<std::int32_t> available_devices;
  std::optional<std::int32_t> unavailable_devices;
  std::optional<std::string> node_name;
  std::optional<std::string> validation_error;
  List<PartitionTypeStatus> partition_summary;
  std::optional<ShareableSummaryStatus> shareable_summary;
  friend bool operator==(const PoolStatus&, const PoolStatus&) = default;
};

struct ResourcePoolStatusRequestStatus {
  std::optional<std::int32_t> pool_count;
  List<PoolStatus> pools;
  List<Condition> conditions;
  friend bool operator==(const ResourcePoolStatusRequestStatus&,
                         const ResourcePoolStatusRequestStatus&) = default;
};

struct ResourcePoolStatusRequest {
  TypeMeta type;
  ObjectMeta metadata;
  ResourcePoolStatusRequestSpec spec;
  std::optional<ResourcePoolStatusRequestStatus> status;
  friend bool operator==(const ResourcePoolStatusRequest&,
                         const ResourcePoolStatusRequest&) = default;
};

}  // namespace quadra::api
