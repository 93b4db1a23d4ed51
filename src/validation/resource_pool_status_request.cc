#include "api/object.h"
#include "validation/declarative.h"
#include "validation/object_meta.h"
#include "validation/strategy.h"

namespace quadra::validation {
namespace {

using api::PartitionTypeStatus;
using api::PoolStatus;
using api::ResourcePoolStatusRequest;
using api::ShareableCapacityStatus;
using api::ShareableSummaryStatus;
using Spec = api::ResourcePoolStatusRequestSpec;
using PoolsStatus = api::ResourcePoolStatusRequestStatus;

bool PartitionTypesOn(const Request& request) {
  return request.gates.Enabled(Gate::kDRAPartitionableDevicesType);
}
bool PartitionTypesOff(const Request& request) { return !PartitionTypesOn(request); }

constexpr auto kPartition =
    Rules(Field("attribute", &PartitionTypeStatus::attribute, Required{}),
          Field("type", &PartitionTypeStatus::type, Required{}),
          Field("total", &PartitionTypeStatus::total, Required{}, Minimum{0}),
          Field("allocatable", &PartitionTypeStatus::allocatable, Required{}, Minimum{0}));

constexpr auto kCapacity =
    Rules(Field("name", &ShareableCapacityStatus::name, Required{}),
          Field("total", &ShareableCapacityStatus::total, Required{}),
          Field("consumed", &ShareableCapacityStatus::consumed, Required{}),
          Field("available", &ShareableCapacityStatus::available, Required{}));

constexpr auto kShareable =
    Rules(Field("fullyAvailableDevices", &ShareableSummaryStatus::fully_available_devices,
                Required{}, Minimum{0}),
          Field("partiallyAvailableDevices", &ShareableSummaryStatus::partially_available_devices,
                Required{}, Minimum{0}),
          Field("capacity", &ShareableSummaryStatus::capacity, MaxItems{32}, Each(kCapacity)));

constexpr auto PartitionKey(const PartitionTypeStatus& partition) {
  return std::pair<std::string_view, std::string_view>(partition.attribute, partition.type);
}

constexpr auto kPool =
    Rules(Field("driver", &PoolStatus::driver, Required{}, LongNameCaseless),
          Field("poolName", &PoolStatus::pool_name, Required{}, ResourcePoolName),
          Field("generation", &PoolStatus::generation, Required{}, Minimum{0}),
          Field("resourceSliceCount", &PoolStatus::resource_slice_count, Minimum{1}),
          Field("totalDevices", &PoolStatus::total_devices, Minimum{0}),
          Field("allocatedDevices", &PoolStatus::allocated_devices, Minimum{0}),
          Field("availableDevices", &PoolStatus::available_devices, Minimum{0}),
          Field("unavailableDevices", &PoolStatus::unavailable_devices, Minimum{0}),
          Field("nodeName", &PoolStatus::node_name, LongName),
          Field("validationError", &PoolStatus::validation_error, MaxBytes{256}),
          Field("partitionSummary", &PoolStatus::partition_summary, MaxItems{32},
                Unique(PartitionKey), EachBy(PartitionKey, kPartition)),
          Field("shareableSummary", &PoolStatus::shareable_summary, kShareable));

constexpr auto kSpec =
    Rules(Field("driver", &Spec::driver, Required{}, LongNameCaseless),
          Field("poolName", &Spec::pool_name, ResourcePoolName),
          Field("limit", &Spec::limit, Required{}, Maximum{1000}, Minimum{1}),
          Field("defaultPartitionTypeAttribute", &Spec::default_partition_type_attribute,
                When(PartitionTypesOff, Forbidden{}), When(PartitionTypesOn, FullyQualifiedName)));

constexpr auto kStatus = Rules(Field("poolCount", &PoolsStatus::pool_count, Required{}, Minimum{0}),
                               Field("pools", &PoolsStatus::pools, MaxItems{1000}, Each(kPool)),
                               Field("conditions", &PoolsStatus::conditions, MaxItems{10}));

constexpr auto kRequest = Rules(Field("spec", &ResourcePoolStatusRequest::spec, Immutable{}, kSpec),
                                Field("status", &ResourcePoolStatusRequest::status, kStatus));

void DropPartitionType(const Request& request, Spec& spec, const Spec* old, Dropped& dropped) {
  const Path path("spec");
  if (PartitionTypesOff(request) && (old == nullptr || !old->default_partition_type_attribute)) {
    dropped.Reset(spec.default_partition_type_attribute,
                  path.Child("defaultPartitionTypeAttribute"));
  }
}

void PrepareRequest(const Request& request, ResourcePoolStatusRequest& object,
                    const ResourcePoolStatusRequest* old, Dropped& dropped) {
  switch (request.operation) {
    case Operation::kCreate:
      object.status.reset();
      DropPartitionType(request, object.spec, nullptr, dropped);
      return;
    case Operation::kUpdate:
      object.status = old->status;
      DropPartitionType(request, object.spec, &old->spec, dropped);
      return;
    case Operation::kStatus:
      object.spec = old->spec;
      ResetMetaForStatus(object.metadata, old->metadata);
      return;
  }
}

// The answer is given once: a status that is set stays.
void CheckStatus(ErrorList& errors, const Path& path, const std::optional<PoolsStatus>& status,
                 const std::optional<PoolsStatus>& old) {
  if (old) {
    if (status != old) {
      errors.Invalid(path, status ? Json(api::EncodeGoStruct(*status)) : Null(),
                     "field is immutable");
    }
  } else if (status) {
    CheckConditions(errors, path.Child("conditions"), status->conditions);
  }
}

void CheckRequest(const Request& request, const ResourcePoolStatusRequest& object,
                  const ResourcePoolStatusRequest* old, ErrorList& errors) {
  const Path metadata("metadata");
  if (old == nullptr) {
    CheckKindMeta(errors, metadata, object.metadata, {});
    return;
  }
  CheckKindMetaUpdate(errors, metadata, object.metadata, old->metadata);
  if (request.operation == Operation::kStatus) {
    CheckStatus(errors, Path("status"), object.status, old->status);
  }
}

constexpr Strategy<ResourcePoolStatusRequest> kStrategy{
    .resource = "resourcepoolstatusrequests.resource.k8s.io",
    .unconditional_update = [](const Request& /*request*/) { return false; },
    .prepare = PrepareRequest,
    .check = CheckRequest,
    .declare = [](const Site& site, const ResourcePoolStatusRequest& object,
                  const ResourcePoolStatusRequest* old) { kRequest(site, object, old); }};

}  // namespace

Outcome Validate(const Request& request, ResourcePoolStatusRequest& object,
                 const ResourcePoolStatusRequest* old) {
  return Run(request, object, old, kStrategy);
}

}  // namespace quadra::validation
