// Bindings: the plain structs of kinds.h tied to their schemas. Each struct's table of members
// stands in the source file of its kind. Private to api/, seen by others only through object.h.
#pragma once

#include <cstddef>
#include <utility>

#include "api/kinds.h"
#include "api/slot.h"

// Defines the binding of struct T to the schema with this OpenAPI name. Members: QUADRA_AT(member,
// "json").
// Both compilers know the offsets in structs that are not of standard layout, as these are for
// their lists.
#define QUADRA_BIND(T, openapi, ...)                                       \
  _Pragma("GCC diagnostic push")                                           \
      _Pragma("GCC diagnostic ignored \"-Winvalid-offsetof\"") template <> \
      const Binding& BindingOf<T>() {                                      \
    using Self [[maybe_unused]] = T;                                       \
    static const Binding binding = Bind(openapi, __VA_ARGS__);             \
    return binding;                                                        \
  }                                                                        \
  _Pragma("GCC diagnostic pop")
#define QUADRA_AT(member, json)                                                  \
  BoundMember<std::remove_reference_t<decltype((std::declval<Self&>().member))>, \
              offsetof(Self, member)> {                                          \
    json                                                                         \
  }

// OpenAPI names of schemas, for QUADRA_BIND. The v1 kinds of resource.k8s.io have the same shape in
// v1beta2.
#define QUADRA_META(name) "io.k8s.apimachinery.pkg.apis.meta.v1." name
#define QUADRA_CORE(name) "io.k8s.api.core.v1." name
#define QUADRA_RESOURCE(version, name) "io.k8s.api.resource." version "." name
#define QUADRA_RESOURCE_V1(name) QUADRA_RESOURCE("v1", name) " " QUADRA_RESOURCE("v1beta2", name)

namespace quadra::api {

template <>
const Binding& BindingOf<OwnerReference>();
template <>
const Binding& BindingOf<ManagedFieldsEntry>();
template <>
const Binding& BindingOf<ObjectMeta>();
template <>
const Binding& BindingOf<Condition>();
template <>
const Binding& BindingOf<NodeSelectorRequirement>();
template <>
const Binding& BindingOf<NodeSelectorTerm>();
template <>
const Binding& BindingOf<NodeSelector>();
template <>
const Binding& BindingOf<DeviceTaint>();
template <>
const Binding& BindingOf<DeviceTaintSelector>();
template <>
const Binding& BindingOf<DeviceTaintRuleSpec>();
template <>
const Binding& BindingOf<DeviceTaintRuleStatus>();
template <>
const Binding& BindingOf<DeviceTaintRule>();
template <>
const Binding& BindingOf<ResourcePool>();
template <>
const Binding& BindingOf<Counter>();
template <>
const Binding& BindingOf<CounterSet>();
template <>
const Binding& BindingOf<DeviceAttribute>();
template <>
const Binding& BindingOf<CapacityRequestPolicyRange>();
template <>
const Binding& BindingOf<CapacityRequestPolicy>();
template <>
const Binding& BindingOf<DeviceCapacity>();
template <>
const Binding& BindingOf<DeviceCounterConsumption>();
template <>
const Binding& BindingOf<NodeAllocatableMapping>();
template <>
const Binding& BindingOf<NodeAllocatableOverhead>();
template <>
const Binding& BindingOf<NodeAllocatableResource>();
template <>
const Binding& BindingOf<Device>();
template <>
const Binding& BindingOf<ResourceSliceSpec>();
template <>
const Binding& BindingOf<ResourceSlice>();
template <>
const Binding& BindingOf<CelDeviceSelector>();
template <>
const Binding& BindingOf<DeviceSelector>();
template <>
const Binding& BindingOf<OpaqueDeviceConfiguration>();
template <>
const Binding& BindingOf<DeviceClassConfiguration>();
template <>
const Binding& BindingOf<DeviceClassSpec>();
template <>
const Binding& BindingOf<DeviceClass>();
template <>
const Binding& BindingOf<DeviceToleration>();
template <>
const Binding& BindingOf<CapacityRequirements>();
template <>
const Binding& BindingOf<DeviceDerivedAttribute>();
template <>
const Binding& BindingOf<ExactDeviceRequest>();
template <>
const Binding& BindingOf<DeviceSubRequest>();
template <>
const Binding& BindingOf<DeviceRequest>();
template <>
const Binding& BindingOf<DeviceConstraint>();
template <>
const Binding& BindingOf<DeviceClaimConfiguration>();
template <>
const Binding& BindingOf<DeviceClaim>();
template <>
const Binding& BindingOf<ResourceClaimSpec>();
template <>
const Binding& BindingOf<DeviceRequestAllocationResult>();
template <>
const Binding& BindingOf<DeviceAllocationConfiguration>();
template <>
const Binding& BindingOf<DeviceAllocationResult>();
template <>
const Binding& BindingOf<AllocationResult>();
template <>
const Binding& BindingOf<ResourceClaimConsumerReference>();
template <>
const Binding& BindingOf<NetworkDeviceData>();
template <>
const Binding& BindingOf<AllocatedDeviceStatus>();
template <>
const Binding& BindingOf<ResourceClaimStatus>();
template <>
const Binding& BindingOf<ResourceClaim>();
template <>
const Binding& BindingOf<ResourceClaimTemplateSpec>();
template <>
const Binding& BindingOf<ResourceClaimTemplate>();
template <>
const Binding& BindingOf<ResourcePoolStatusRequestSpec>();
template <>
const Binding& BindingOf<PartitionTypeStatus>();
template <>
const Binding& BindingOf<ShareableCapacityStatus>();
template <>
const Binding& BindingOf<ShareableSummaryStatus>();
template <>
const Binding& BindingOf<PoolStatus>();
template <>
const Binding& BindingOf<ResourcePoolStatusRequestStatus>();
template <>
const Binding& BindingOf<ResourcePoolStatusRequest>();
template <>
const Binding& BindingOf<ContainerResourceClaim>();
template <>
const Binding& BindingOf<ResourceRequirements>();
template <>
const Binding& BindingOf<ContainerPort>();
template <>
const Binding& BindingOf<Container>();
template <>
const Binding& BindingOf<PodResourceClaim>();
template <>
const Binding& BindingOf<Toleration>();
template <>
const Binding& BindingOf<PreferredSchedulingTerm>();
template <>
const Binding& BindingOf<NodeAffinity>();
template <>
const Binding& BindingOf<Affinity>();
template <>
const Binding& BindingOf<PodSchedulingGate>();
template <>
const Binding& BindingOf<PodSchedulingGroup>();
template <>
const Binding& BindingOf<PodSpec>();
template <>
const Binding& BindingOf<PodCondition>();
template <>
const Binding& BindingOf<ResourceHealth>();
template <>
const Binding& BindingOf<ResourceStatus>();
template <>
const Binding& BindingOf<ContainerStatus>();
template <>
const Binding& BindingOf<PodResourceClaimStatus>();
template <>
const Binding& BindingOf<ContainerExtendedResourceRequest>();
template <>
const Binding& BindingOf<PodExtendedResourceClaimStatus>();
template <>
const Binding& BindingOf<NodeAllocatableMappedResources>();
template <>
const Binding& BindingOf<NodeAllocatableOverheadResources>();
template <>
const Binding& BindingOf<NodeAllocatableResourceClaimStatus>();
template <>
const Binding& BindingOf<PodStatus>();
template <>
const Binding& BindingOf<Pod>();
template <>
const Binding& BindingOf<PodTemplateSpec>();
template <>
const Binding& BindingOf<Taint>();
template <>
const Binding& BindingOf<NodeSpec>();
template <>
const Binding& BindingOf<NodeCondition>();
template <>
const Binding& BindingOf<NodeStatus>();
template <>
const Binding& BindingOf<Node>();

}  // namespace quadra::api
