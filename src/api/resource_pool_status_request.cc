#include "api/resource_pool_status_request.h"

#include "api/bindings.h"

namespace quadra::api {

QUADRA_BIND(ResourcePoolStatusRequestSpec,
            QUADRA_RESOURCE("v1alpha3", "ResourcePoolStatusRequestSpec"),
            QUADRA_AT(driver, "driver"), QUADRA_AT(pool_name, "poolName"),
            QUADRA_AT(limit, "limit"),
            QUADRA_AT(default_partition_type_attribute, "defaultPartitionTypeAttribute"))

QUADRA_BIND(PartitionTypeStatus, QUADRA_RESOURCE("v1alpha3", "PartitionTypeStatus"),
            QUADRA_AT(attribute, "attribute"), QUADRA_AT(type, "type"), QUADRA_AT(total, "total"),
            QUADRA_AT(allocatable, "allocatable"))

QUADRA_BIND(ShareableCapacityStatus, QUADRA_RESOURCE("v1alpha3", "ShareableCapacityStatus"),
            QUADRA_AT(name, "name"), QUADRA_AT(total, "total"), QUADRA_AT(consumed, "consumed"),
            QUADRA_AT(available, "available"))

QUADRA_BIND(ShareableSummaryStatus, QUADRA_RESOURCE("v1alpha3", "ShareableSummaryStatus"),
            QUADRA_AT(fully_available_devices, "fullyAvailableDevices"),
            QUADRA_AT(partially_available_devices, "partiallyAvailableDevices"),
            QUADRA_AT(capacity, "capacity"))

QUADRA_BIND(PoolStatus, QUADRA_RESOURCE("v1alpha3", "PoolStatus"), QUADRA_AT(driver, "driver"),
            QUADRA_AT(pool_name, "poolName"), QUADRA_AT(generation, "generation"),
            QUADRA_AT(resource_slice_count, "resourceSliceCount"),
            QUADRA_AT(total_devices, "totalDevices"),
            QUADRA_AT(allocated_devices, "allocatedDevices"),
            QUADRA_AT(available_devices, "availableDevices"),
            QUADRA_AT(unavailable_devices, "unavailableDevices"), QUADRA_AT(node_name, "nodeName"),
            QUADRA_AT(validation_error, "validationError"),
            QUADRA_AT(partition_summary, "partitionSummary"),
            QUADRA_AT(shareable_summary, "shareableSummary"))

QUADRA_BIND(ResourcePoolStatusRequestStatus,
            QUADRA_RESOURCE("v1alpha3", "ResourcePoolStatusRequestStatus"),
            QUADRA_AT(pool_count, "poolCount"), QUADRA_AT(pools, "pools"),
            QUADRA_AT(conditions, "conditions"))

QUADRA_BIND(ResourcePoolStatusRequest, QUADRA_RESOURCE("v1alpha3", "ResourcePoolStatusRequest"),
            QUADRA_AT(type.kind, "kind"), QUADRA_AT(type.api_version, "apiVersion"),
            QUADRA_AT(metadata, "metadata"), QUADRA_AT(spec, "spec"), QUADRA_AT(status, "status"))

}  // namespace quadra::api
