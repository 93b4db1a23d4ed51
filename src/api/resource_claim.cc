#include "api/resource_claim.h"

#include "api/bindings.h"

namespace quadra::api {

QUADRA_BIND(DeviceToleration, QUADRA_RESOURCE_V1("DeviceToleration"), QUADRA_AT(key, "key"),
            QUADRA_AT(op, "operator"), QUADRA_AT(value, "value"), QUADRA_AT(effect, "effect"),
            QUADRA_AT(toleration_seconds, "tolerationSeconds"))

QUADRA_BIND(CapacityRequirements, QUADRA_RESOURCE_V1("CapacityRequirements"),
            QUADRA_AT(requests, "requests"))

QUADRA_BIND(DeviceDerivedAttribute, QUADRA_RESOURCE_V1("DeviceDerivedAttribute"),
            QUADRA_AT(name, "name"), QUADRA_AT(expression, "expression"))

QUADRA_BIND(ExactDeviceRequest, QUADRA_RESOURCE_V1("ExactDeviceRequest"),
            QUADRA_AT(device_class_name, "deviceClassName"), QUADRA_AT(selectors, "selectors"),
            QUADRA_AT(allocation_mode, "allocationMode"), QUADRA_AT(count, "count"),
            QUADRA_AT(admin_access, "adminAccess"), QUADRA_AT(tolerations, "tolerations"),
            QUADRA_AT(capacity, "capacity"), QUADRA_AT(derived_attributes, "derivedAttributes"))

QUADRA_BIND(DeviceSubRequest, QUADRA_RESOURCE_V1("DeviceSubRequest"), QUADRA_AT(name, "name"),
            QUADRA_AT(device_class_name, "deviceClassName"), QUADRA_AT(selectors, "selectors"),
            QUADRA_AT(allocation_mode, "allocationMode"), QUADRA_AT(count, "count"),
            QUADRA_AT(tolerations, "tolerations"), QUADRA_AT(capacity, "capacity"),
            QUADRA_AT(derived_attributes, "derivedAttributes"))

QUADRA_BIND(DeviceRequest, QUADRA_RESOURCE_V1("DeviceRequest"), QUADRA_AT(name, "name"),
            QUADRA_AT(exactly, "exactly"), QUADRA_AT(first_available, "firstAvailable"))

QUADRA_BIND(DeviceConstraint, QUADRA_RESOURCE_V1("DeviceConstraint"),
            QUADRA_AT(requests, "requests"), QUADRA_AT(match_attribute, "matchAttribute"),
            QUADRA_AT(distinct_attribute, "distinctAttribute"))

QUADRA_BIND(DeviceClaimConfiguration, QUADRA_RESOURCE_V1("DeviceClaimConfiguration"),
            QUADRA_AT(requests, "requests"), QUADRA_AT(opaque, "opaque"))

QUADRA_BIND(DeviceClaim, QUADRA_RESOURCE_V1("DeviceClaim"), QUADRA_AT(requests, "requests"),
            QUADRA_AT(constraints, "constraints"), QUADRA_AT(config, "config"))

QUADRA_BIND(ResourceClaimSpec, QUADRA_RESOURCE_V1("ResourceClaimSpec"),
            QUADRA_AT(devices, "devices"))

QUADRA_BIND(DeviceRequestAllocationResult, QUADRA_RESOURCE_V1("DeviceRequestAllocationResult"),
            QUADRA_AT(request, "request"), QUADRA_AT(driver, "driver"), QUADRA_AT(pool, "pool"),
            QUADRA_AT(device, "device"), QUADRA_AT(admin_access, "adminAccess"),
            QUADRA_AT(tolerations, "tolerations"),
            QUADRA_AT(binding_conditions, "bindingConditions"),
            QUADRA_AT(binding_failure_conditions, "bindingFailureConditions"),
            QUADRA_AT(share_id, "shareID"), QUADRA_AT(consumed_capacity, "consumedCapacity"),
            QUADRA_AT(skip_node_operations, "skipNodeOperations"))

QUADRA_BIND(DeviceAllocationConfiguration, QUADRA_RESOURCE_V1("DeviceAllocationConfiguration"),
            QUADRA_AT(source, "source"), QUADRA_AT(requests, "requests"),
            QUADRA_AT(opaque, "opaque"))

QUADRA_BIND(DeviceAllocationResult, QUADRA_RESOURCE_V1("DeviceAllocationResult"),
            QUADRA_AT(results, "results"), QUADRA_AT(config, "config"))

QUADRA_BIND(AllocationResult, QUADRA_RESOURCE_V1("AllocationResult"), QUADRA_AT(devices, "devices"),
            QUADRA_AT(node_selector, "nodeSelector"),
            QUADRA_AT(allocation_timestamp, "allocationTimestamp"))

QUADRA_BIND(ResourceClaimConsumerReference, QUADRA_RESOURCE_V1("ResourceClaimConsumerReference"),
            QUADRA_AT(api_group, "apiGroup"), QUADRA_AT(resource, "resource"),
            QUADRA_AT(name, "name"), QUADRA_AT(uid, "uid"))

QUADRA_BIND(NetworkDeviceData, QUADRA_RESOURCE_V1("NetworkDeviceData"),
            QUADRA_AT(interface_name, "interfaceName"), QUADRA_AT(ips, "ips"),
            QUADRA_AT(hardware_address, "hardwareAddress"))

QUADRA_BIND(AllocatedDeviceStatus, QUADRA_RESOURCE_V1("AllocatedDeviceStatus"),
            QUADRA_AT(driver, "driver"), QUADRA_AT(pool, "pool"), QUADRA_AT(device, "device"),
            QUADRA_AT(share_id, "shareID"), QUADRA_AT(conditions, "conditions"),
            QUADRA_AT(data, "data"), QUADRA_AT(network_data, "networkData"))

QUADRA_BIND(ResourceClaimStatus, QUADRA_RESOURCE_V1("ResourceClaimStatus"),
            QUADRA_AT(allocation, "allocation"), QUADRA_AT(reserved_for, "reservedFor"),
            QUADRA_AT(devices, "devices"))

QUADRA_BIND(ResourceClaim, QUADRA_RESOURCE_V1("ResourceClaim"), QUADRA_AT(type.kind, "kind"),
            QUADRA_AT(type.api_version, "apiVersion"), QUADRA_AT(metadata, "metadata"),
            QUADRA_AT(spec, "spec"), QUADRA_AT(status, "status"))

QUADRA_BIND(ResourceClaimTemplateSpec, QUADRA_RESOURCE_V1("ResourceClaimTemplateSpec"),
            QUADRA_AT(metadata, "metadata"), QUADRA_AT(spec, "spec"))

QUADRA_BIND(ResourceClaimTemplate, QUADRA_RESOURCE_V1("ResourceClaimTemplate"),
            QUADRA_AT(type.kind, "kind"), QUADRA_AT(type.api_version, "apiVersion"),
            QUADRA_AT(metadata, "metadata"), QUADRA_AT(spec, "spec"))

}  // namespace quadra::api
