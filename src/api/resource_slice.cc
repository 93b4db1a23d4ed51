#include "api/resource_slice.h"

#include "api/bindings.h"

namespace quadra::api {

QUADRA_BIND(ResourcePool, QUADRA_RESOURCE_V1("ResourcePool"), QUADRA_AT(name, "name"),
            QUADRA_AT(generation, "generation"),
            QUADRA_AT(resource_slice_count, "resourceSliceCount"))

QUADRA_BIND(Counter, QUADRA_RESOURCE_V1("Counter"), QUADRA_AT(value, "value"))

QUADRA_BIND(CounterSet, QUADRA_RESOURCE_V1("CounterSet"), QUADRA_AT(name, "name"),
            QUADRA_AT(counters, "counters"))

QUADRA_BIND(DeviceAttribute, QUADRA_RESOURCE_V1("DeviceAttribute"), QUADRA_AT(int_value, "int"),
            QUADRA_AT(bool_value, "bool"), QUADRA_AT(string_value, "string"),
            QUADRA_AT(version_value, "version"), QUADRA_AT(int_values, "ints"),
            QUADRA_AT(bool_values, "bools"), QUADRA_AT(string_values, "strings"),
            QUADRA_AT(version_values, "versions"))

QUADRA_BIND(CapacityRequestPolicyRange, QUADRA_RESOURCE_V1("CapacityRequestPolicyRange"),
            QUADRA_AT(min, "min"), QUADRA_AT(max, "max"), QUADRA_AT(step, "step"))

QUADRA_BIND(CapacityRequestPolicy, QUADRA_RESOURCE_V1("CapacityRequestPolicy"),
            QUADRA_AT(default_value, "default"), QUADRA_AT(valid_values, "validValues"),
            QUADRA_AT(valid_range, "validRange"))

QUADRA_BIND(DeviceCapacity, QUADRA_RESOURCE_V1("DeviceCapacity"), QUADRA_AT(value, "value"),
            QUADRA_AT(request_policy, "requestPolicy"))

QUADRA_BIND(DeviceCounterConsumption, QUADRA_RESOURCE_V1("DeviceCounterConsumption"),
            QUADRA_AT(counter_set, "counterSet"), QUADRA_AT(counters, "counters"),
            QUADRA_AT(compatibility_groups, "compatibilityGroups"))

QUADRA_BIND(NodeAllocatableMapping, QUADRA_RESOURCE_V1("NodeAllocatableMapping"),
            QUADRA_AT(capacity_key, "capacityKey"),
            QUADRA_AT(capacity_multiplier, "capacityMultiplier"),
            QUADRA_AT(device_multiplier, "deviceMultiplier"))

QUADRA_BIND(NodeAllocatableOverhead, QUADRA_RESOURCE_V1("NodeAllocatableOverhead"),
            QUADRA_AT(per_pod, "perPod"), QUADRA_AT(per_container, "perContainer"))

QUADRA_BIND(NodeAllocatableResource, QUADRA_RESOURCE_V1("NodeAllocatableResource"),
            QUADRA_AT(mapping, "mapping"), QUADRA_AT(overhead, "overhead"))

QUADRA_BIND(Device, QUADRA_RESOURCE_V1("Device"), QUADRA_AT(name, "name"),
            QUADRA_AT(attributes, "attributes"), QUADRA_AT(capacity, "capacity"),
            QUADRA_AT(consumes_counters, "consumesCounters"), QUADRA_AT(node_name, "nodeName"),
            QUADRA_AT(node_selector, "nodeSelector"), QUADRA_AT(all_nodes, "allNodes"),
            QUADRA_AT(taints, "taints"), QUADRA_AT(binds_to_node, "bindsToNode"),
            QUADRA_AT(binding_conditions, "bindingConditions"),
            QUADRA_AT(binding_failure_conditions, "bindingFailureConditions"),
            QUADRA_AT(allow_multiple_allocations, "allowMultipleAllocations"),
            QUADRA_AT(node_allocatable_resources, "nodeAllocatableResources"))

QUADRA_BIND(ResourceSliceSpec, QUADRA_RESOURCE_V1("ResourceSliceSpec"), QUADRA_AT(driver, "driver"),
            QUADRA_AT(pool, "pool"), QUADRA_AT(node_name, "nodeName"),
            QUADRA_AT(node_selector, "nodeSelector"), QUADRA_AT(all_nodes, "allNodes"),
            QUADRA_AT(devices, "devices"),
            QUADRA_AT(per_device_node_selection, "perDeviceNodeSelection"),
            QUADRA_AT(shared_counters, "sharedCounters"),
            QUADRA_AT(partition_type_attribute, "partitionTypeAttribute"),
            QUADRA_AT(skip_node_operations, "skipNodeOperations"))

QUADRA_BIND(ResourceSlice, QUADRA_RESOURCE_V1("ResourceSlice"), QUADRA_AT(type.kind, "kind"),
            QUADRA_AT(type.api_version, "apiVersion"), QUADRA_AT(metadata, "metadata"),
            QUADRA_AT(spec, "spec"))

}  // namespace quadra::api
