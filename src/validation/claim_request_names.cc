#include "validation/claim_request_names.h"

#include <algorithm>
#include <functional>

#include "validation/claim_limits.h"
#include "validation/claim_lists.h"
#include "validation/formats.h"

namespace quadra::validation {
namespace {

constexpr std::string_view kUnknownReference =
    "must be the name of a request in the claim or the name of a request and a subrequest "
    "separated by '/'";

}  // namespace

RequestNames::RequestNames(const api::DeviceClaim& claim) {
  for (const api::DeviceRequest& request : claim.requests) {
    std::set<std::string_view>& names = subrequests_[request.name];
    names.clear();
    for (const api::DeviceSubRequest& subrequest : request.first_available) {
      names.insert(subrequest.name);
    }
  }
}

bool RequestNames::Has(std::string_view reference) const {
  const std::size_t slash = reference.find('/');
  const auto request = subrequests_.find(reference.substr(0, slash));
  if (request == subrequests_.end()) {
    return false;
  }
  return slash == reference.npos || request->second.contains(reference.substr(slash + 1));
}

void CheckRequestReference(ErrorList& errors, const Path& path, std::string_view reference,
                           const RequestNames& names) {
  if (std::ranges::count(reference, '/') > 1) {
    errors.Invalid(path, reference, kUnknownReference);
    return;
  }
  const std::size_t slash = reference.find('/');
  CheckDnsLabel(errors, path, reference.substr(0, slash));
  if (slash != reference.npos) {
    CheckDnsLabel(errors, path, reference.substr(slash + 1));
  }
  if (!names.Has(reference)) {
    errors.Invalid(path, reference, kUnknownReference);
  }
}

void CheckRequestReferences(ErrorList& errors, const Path& path,
                            const api::List<std::string>& references, const RequestNames& names) {
  if (ReportSize(errors, path, references, kMaxRequests)) {
    return;
  }
  for (std::size_t i = 0; i < references.size(); ++i) {
    CheckRequestReference(errors, path.Index(i), references[i], names);
  }
  for (const std::size_t i : RepeatedItems(references, std::equal_to<>())) {
    errors.Duplicate(path.Index(i), references[i]).Cover();
  }
}

}  // namespace quadra::validation
