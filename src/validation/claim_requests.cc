#include "validation/claim_requests.h"

#include <string>

#include "validation/claim_limits.h"
#include "validation/claim_lists.h"
#include "validation/claim_selectors.h"
#include "validation/claim_tolerations.h"
#include "validation/formats.h"

namespace quadra::validation {
namespace {

// What the hand-written rules of one claim share.
struct Surroundings {
  const ConstrainedAttributes& constrained;
  const Request& request;
};

void CheckClassName(ErrorList& errors, const Path& path, std::string_view name) {
  if (name.empty()) {
    errors.Required(path);
  } else {
    CheckDnsSubdomain(errors, path, name);
  }
}

// `Request` is ExactDeviceRequest or DeviceSubRequest.
template <typename Request>
void CheckAllocationMode(ErrorList& errors, const Path& path, const Request& request) {
  if (request.allocation_mode == "All") {
    if (request.count != 0) {
      errors.Invalid(path.Child("count"), Number(request.count),
                     "must not be specified when allocationMode is 'All'");
    }
  } else if (request.allocation_mode == "ExactCount") {
    if (request.count <= 0) {
      errors.Invalid(path.Child("count"), Number(request.count), "must be greater than zero");
    }
  } else {
    errors
        .NotSupported(path.Child("allocationMode"), Named(request.allocation_mode),
                      kAllocationModes)
        .Cover();
  }
}

template <typename Request>
std::uint64_t CheckDemand(ErrorList& errors, const Path& path, const Request& request,
                          std::string_view name, const Surroundings& claim) {
  CheckSelectors(errors, path.Child("selectors"), request.selectors, Age::kNew, claim.request);
  const std::uint64_t cost =
      CheckDerivedAttributes(errors, path.Child("derivedAttributes"), request.derived_attributes,
                             name, claim.constrained, claim.request);
  CheckAllocationMode(errors, path, request);
  CheckTolerations(errors, path.Child("tolerations"), request.tolerations);
  return cost;
}

std::uint64_t CheckAlternative(ErrorList& errors, const Path& path,
                               const api::DeviceSubRequest& alternative,
                               std::string_view request_name, const Surroundings& claim) {
  CheckDnsLabel(errors, path.Child("name"), alternative.name);
  const std::size_t start = errors.size();
  CheckClassName(errors, path.Child("deviceClassName"), alternative.device_class_name);
  errors.CoverSince(start);
  const std::string name = std::string(request_name) + "/" + alternative.name;
  return CheckDemand(errors, path, alternative, name, claim);
}

std::uint64_t CheckAlternatives(ErrorList& errors, const Path& path,
                                const api::DeviceRequest& request, const Surroundings& claim) {
  const api::List<api::DeviceSubRequest>& alternatives = request.first_available;
  if (ReportSize(errors, path, alternatives, kMaxAlternatives)) {
    return 0;
  }
  std::uint64_t cost = 0;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    cost += CheckAlternative(errors, path.Index(i), alternatives[i], request.name, claim);
  }
  for (const std::size_t i : RepeatedItems(alternatives, kSameName)) {
    errors.Duplicate(path.Index(i), alternatives[i].name).Cover();
  }
  return cost;
}

std::uint64_t CheckRequest(ErrorList& errors, const Path& path, const api::DeviceRequest& request,
                           const Surroundings& claim) {
  CheckDnsLabel(errors, path.Child("name"), request.name);
  if (!request.exactly && request.first_available.empty()) {
    errors.Required(path, "exactly one of `exactly` or `firstAvailable` is required");
    return 0;
  }
  if (request.exactly && !request.first_available.empty()) {
    errors.Invalid(
        path, Null(),
        "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set");
    return 0;
  }
  if (!request.exactly) {
    return CheckAlternatives(errors, path.Child("firstAvailable"), request, claim);
  }
  const Path exactly = path.Child("exactly");
  CheckClassName(errors, exactly.Child("deviceClassName"), request.exactly->device_class_name);
  return CheckDemand(errors, exactly, *request.exactly, request.name, claim);
}

}  // namespace

std::uint64_t CheckRequests(ErrorList& errors, const Path& path,
                            const api::List<api::DeviceRequest>& requests,
                            const ConstrainedAttributes& constrained, const Request& request) {
  if (ReportSize(errors, path, requests, kMaxRequests)) {
    return 0;
  }
  std::uint64_t cost = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    cost += CheckRequest(errors, path.Index(i), requests[i], {constrained, request});
  }
  for (const std::size_t i : RepeatedItems(requests, kSameName)) {
    errors.Duplicate(path.Index(i), requests[i].name).Cover();
  }
  return cost;
}

}  // namespace quadra::validation
