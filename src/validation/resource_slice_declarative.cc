// The declarative rules of ResourceSlice, by type from the inside out.
#include "validation/claim_node_conduct.h"
#include "validation/declarative.h"
#include "validation/device_taint_declarative.h"
#include "validation/resource_slice.h"

namespace quadra::validation {
namespace {

using api::CounterSet;
using api::Device;
using api::DeviceAttribute;
using api::DeviceCounterConsumption;
using api::NodeAllocatableMapping;
using api::NodeAllocatableResource;
using api::ResourceSlice;
using api::ResourceSliceSpec;

bool PartitionTypesOn(const Request& request) {
  return request.gates.Enabled(Gate::kDRAPartitionableDevicesType);
}
bool PartitionTypesOff(const Request& request) { return !PartitionTypesOn(request); }

constexpr Union<DeviceAttribute, 8> kOneValue{{{
    {"int", [](const DeviceAttribute& a) { return a.int_value.has_value(); }},
    {"bool", [](const DeviceAttribute& a) { return a.bool_value.has_value(); }},
    {"string", [](const DeviceAttribute& a) { return a.string_value.has_value(); }},
    {"version", [](const DeviceAttribute& a) { return a.version_value.has_value(); }},
    {"ints", [](const DeviceAttribute& a) { return !a.int_values.empty(); }},
    {"bools", [](const DeviceAttribute& a) { return !a.bool_values.empty(); }},
    {"strings", [](const DeviceAttribute& a) { return !a.string_values.empty(); }},
    {"versions", [](const DeviceAttribute& a) { return !a.version_values.empty(); }},
}}};

constexpr Union<NodeAllocatableMapping, 2> kOneMultiplier{{{
    {"capacityKey", [](const NodeAllocatableMapping& m) { return m.capacity_key.has_value(); }},
    {"deviceMultiplier",
     [](const NodeAllocatableMapping& m) { return m.device_multiplier.has_value(); }},
}}};

constexpr auto kCounterSet =
    Rules(Field("name", &CounterSet::name, Beta(Required{}, ShortName)),
          Field("counters", &CounterSet::counters, Beta(Required{}, EachKey(ShortName))));

constexpr auto kConsumption = Rules(
    Field("counterSet", &DeviceCounterConsumption::counter_set, Beta(Required{}, ShortName)),
    Field("counters", &DeviceCounterConsumption::counters, Beta(Required{}, EachKey(ShortName))),
    Field("compatibilityGroups", &DeviceCounterConsumption::compatibility_groups, MaxItems{2},
          EachBy(Self{}, ShortName), Unique(Self{})));

constexpr auto kNodeAllocatableResource =
    Rules(Field("mapping", &NodeAllocatableResource::mapping, kOneMultiplier));

constexpr auto kDevice = Rules(
    Field("attributes", &Device::attributes, EachValue(Beta(kOneValue))),
    Field("consumesCounters", &Device::consumes_counters,
          Beta(MaxItems{2}, Unique(&DeviceCounterConsumption::counter_set)),
          EachBy(&DeviceCounterConsumption::counter_set, kConsumption)),
    Field("taints", &Device::taints, Each(kTaintRules)),
    Field("bindingConditions", &Device::binding_conditions, Beta(MaxItems{kMaxBindingConditions})),
    Field("bindingFailureConditions", &Device::binding_failure_conditions,
          Beta(MaxItems{kMaxBindingConditions})),
    Field("nodeAllocatableResources", &Device::node_allocatable_resources,
          EachValue(kNodeAllocatableResource)));

constexpr auto kSpec = Rules(
    Field("devices", &ResourceSliceSpec::devices, Each(BelowInV1Beta1("basic", kDevice))),
    Field("sharedCounters", &ResourceSliceSpec::shared_counters,
          Beta(MaxItems{8}, Unique(&CounterSet::name)), EachBy(&CounterSet::name, kCounterSet)),
    Field("partitionTypeAttribute", &ResourceSliceSpec::partition_type_attribute,
          When(PartitionTypesOff, Forbidden{}), When(PartitionTypesOn, FullyQualifiedName)),
    Field("skipNodeOperations", &ResourceSliceSpec::skip_node_operations,
          Unique(Self{}, Show::kNamed), EachBy(Self{}, Enum{kSkippableOperations})));

constexpr auto kSlice = Rules(Field("spec", &ResourceSlice::spec, kSpec));

}  // namespace

void DeclareSlice(const Site& site, const ResourceSlice& slice, const ResourceSlice* old) {
  kSlice(site, slice, old);
}

}  // namespace quadra::validation
