#include "validation/claim_admin_access.h"

#include <algorithm>

namespace quadra::validation {
namespace {

constexpr std::string_view kLabel = "resource.kubernetes.io/admin-access";

bool IsAllowed(const Labels& namespace_labels) {
  const std::string* value = namespace_labels.Find(kLabel);
  return value != nullptr && *value == "true";
}

// `holders` is a list whose items `wants` admin access or not; `path` is the list's.
template <typename List, typename Wants>
void ReportFirst(ErrorList& errors, const Path& path, const List& holders, Wants wants) {
  const auto first = std::ranges::find_if(holders, wants);
  if (first != holders.end()) {
    const Path item = path.Index(static_cast<std::size_t>(first - holders.begin()));
    errors.Forbidden(item.Child("adminAccess"),
                     "admin access to devices requires the `resource.kubernetes.io/admin-access: "
                     "true` label on the "
                     "containing namespace");
  }
}

bool IsGranted(const api::DeviceRequestAllocationResult& result) {
  return result.admin_access.value_or(false);
}

}  // namespace

void CheckAdminRequests(ErrorList& errors, const api::DeviceClaim& claim,
                        const Labels& namespace_labels) {
  const auto wants = [](const api::DeviceRequest& request) {
    return request.exactly && request.exactly->admin_access.value_or(false);
  };
  if (!IsAllowed(namespace_labels)) {
    ReportFirst(errors, Path("spec.devices.requests"), claim.requests, wants);
  }
}

void CheckAdminResults(ErrorList& errors, const api::ResourceClaimStatus& status,
                       const api::ResourceClaimStatus& old, const Labels& namespace_labels) {
  const bool granted_before =
      old.allocation && std::ranges::any_of(old.allocation->devices.results, IsGranted);
  if (status.allocation && !granted_before && !IsAllowed(namespace_labels)) {
    ReportFirst(errors, Path("status.allocation.devices.results"),
                status.allocation->devices.results, IsGranted);
  }
}

}  // namespace quadra::validation
