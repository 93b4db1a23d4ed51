#include "validation/claim_status.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "api/object.h"
#include "validation/claim_allocation.h"
#include "validation/claim_device_status.h"
#include "validation/claim_limits.h"
#include "validation/claim_lists.h"
#include "validation/claim_request_names.h"

namespace quadra::validation {
namespace {

using Consumers = api::List<api::ResourceClaimConsumerReference>;

void CheckConsumers(ErrorList& errors, const Path& path, const Consumers& consumers) {
  if (ReportSize(errors, path, consumers, kMaxConsumers)) {
    return;
  }
  for (std::size_t i = 0; i < consumers.size(); ++i) {
    const Path item = path.Index(i);
    const std::pair<std::string_view, std::string_view> required[] = {
        {"resource", consumers[i].resource},
        {"name", consumers[i].name},
        {"uid", consumers[i].uid}};
    for (const auto& [name, value] : required) {
      if (value.empty()) {
        errors.Required(item.Child(name));
      }
    }
  }
  const auto same_uid = [](const auto& a, const auto& b) { return a.uid == b.uid; };
  for (const std::size_t i : RepeatedItems(consumers, same_uid)) {
    errors.Duplicate(path.Index(i), Named(consumers[i].uid)).Cover();
  }
}

// Consumers need an allocation, and a claim that is being deleted gets no new ones.
void CheckReservation(ErrorList& errors, const Path& path, const api::ResourceClaim& claim,
                      const Consumers& old) {
  const Consumers& consumers = claim.status.reserved_for;
  const auto is_new = [&](const auto& consumer) {
    return std::ranges::find(old, consumer) == old.end();
  };
  if (consumers.empty()) {
    return;
  }
  if (!claim.status.allocation) {
    errors.Forbidden(path, "may not be specified when `allocated` is not set");
  } else if (claim.metadata.deletion_timestamp && std::ranges::any_of(consumers, is_new)) {
    errors.Forbidden(path,
                     "new entries may not be added while `deallocationRequested` or "
                     "`deletionTimestamp` are set");
  }
}

}  // namespace

void CheckClaimStatus(ErrorList& errors, const api::ResourceClaim& claim,
                      const api::ResourceClaim& old) {
  const api::ResourceClaimStatus& status = claim.status;
  const Path path("status");
  CheckConsumers(errors, path.Child("reservedFor"), status.reserved_for);
  CheckDeviceStatuses(errors, path.Child("devices"), status.devices, AllocatedDevices(status));
  CheckReservation(errors, path.Child("reservedFor"), claim, old.status.reserved_for);
  if (!status.allocation) {
    return;
  }
  const Path allocation = path.Child("allocation");
  if (!old.status.allocation) {
    CheckAllocation(errors, allocation, *status.allocation, RequestNames(claim.spec.devices));
  } else if (*status.allocation != *old.status.allocation) {
    errors.Invalid(allocation, Json(api::EncodeGoStruct(*status.allocation)), "field is immutable")
        .WithOrigin("update")
        .Cover();
  }
}

}  // namespace quadra::validation
