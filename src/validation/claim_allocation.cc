#include "validation/claim_allocation.h"

#include <algorithm>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "validation/claim_config.h"
#include "validation/claim_limits.h"
#include "validation/claim_lists.h"
#include "validation/claim_node_conduct.h"
#include "validation/claim_tolerations.h"
#include "validation/formats.h"
#include "validation/object_meta.h"

namespace quadra::validation {
namespace {

void CheckResult(ErrorList& errors, const Path& path,
                 const api::DeviceRequestAllocationResult& result, const RequestNames& names) {
  CheckRequestReference(errors, path.Child("request"), result.request, names);
  CheckDriverName(errors, path.Child("driver"), result.driver, Covered::kYes);
  const std::size_t start = errors.size();
  CheckPoolName(errors, path.Child("pool"), result.pool);
  errors.CoverSince(start);
  CheckDnsLabel(errors, path.Child("device"), result.device);
  CheckBindingConditions(errors, path, result.binding_conditions,
                         result.binding_failure_conditions);
  CheckTolerations(errors, path.Child("tolerations"), result.tolerations);
  if (result.share_id) {
    CheckShareId(errors, path.Child("shareID"), *result.share_id);
  }
  CheckSkipNodeOperations(errors, path.Child("skipNodeOperations"), result.skip_node_operations);
}

void CheckSource(ErrorList& errors, const Path& path, std::string_view source) {
  if (source.empty()) {
    errors.Required(path).Cover();
  } else if (std::ranges::find(kConfigSources, source) == std::end(kConfigSources)) {
    errors.NotSupported(path, Named(source), kConfigSources).Cover();
  }
}

void CheckConfigs(ErrorList& errors, const Path& path,
                  const api::List<api::DeviceAllocationConfiguration>& configs,
                  const RequestNames& names) {
  if (ReportSize(errors, path, configs, kMaxAllocationConfigs)) {
    return;
  }
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const Path item = path.Index(i);
    CheckSource(errors, item.Child("source"), configs[i].source);
    CheckRequestReferences(errors, item.Child("requests"), configs[i].requests, names);
    CheckOpaque(errors, item, configs[i].opaque, Age::kNew);
  }
}

bool IsHexadecimal(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// 8-4-4-4-12 hexadecimal digits of either case.
bool HasUuidShape(std::string_view text) { return api::IsLowerCaseUuid(api::ToLower(text)); }

// What Go's UUID parser has against `text`, which knows four spellings; nothing if it is one of
// them.
std::string UuidProblem(std::string_view text) {
  constexpr std::size_t kPlain = 36;
  constexpr std::string_view kUrn = "urn:uuid:";
  constexpr std::string_view kBadFormat = "invalid UUID format";
  switch (text.size()) {
    case kPlain:
      return std::string(HasUuidShape(text) ? "" : kBadFormat);
    case kPlain + kUrn.size():
      if (const std::string_view prefix = text.substr(0, kUrn.size());
          api::ToLower(prefix) != kUrn) {
        return fmt::format("invalid urn prefix: {}", Quoted(prefix).text);
      }
      return UuidProblem(text.substr(kUrn.size()));
    case kPlain + 2:
      if (!text.starts_with('{') || !text.ends_with('}')) {
        return "invalid bracketed UUID format";
      }
      return UuidProblem(text.substr(1, kPlain));
    case kPlain - 4:
      return std::string(std::ranges::all_of(text, IsHexadecimal) ? "" : kBadFormat);
    default:
      return fmt::format("invalid UUID length: {}", text.size());
  }
}

}  // namespace

void CheckShareId(ErrorList& errors, const Path& path, std::string_view share_id) {
  constexpr std::string_view kOrigin = "format=k8s-uuid";
  if (const std::string problem = UuidProblem(share_id); !problem.empty()) {
    errors.Invalid(path, share_id, "error validating uid: " + problem).WithOrigin(kOrigin).Cover();
  } else if (!api::IsLowerCaseUuid(share_id)) {
    errors
        .Invalid(path, share_id,
                 "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` "
                 "with lowercase "
                 "hexadecimal characters")
        .WithOrigin(kOrigin)
        .Cover();
  }
}

void CheckAllocation(ErrorList& errors, const Path& path, const api::AllocationResult& allocation,
                     const RequestNames& names) {
  const Path devices = path.Child("devices");
  const Path results = devices.Child("results");
  if (!ReportSize(errors, results, allocation.devices.results, kMaxResults)) {
    for (std::size_t i = 0; i < allocation.devices.results.size(); ++i) {
      CheckResult(errors, results.Index(i), allocation.devices.results[i], names);
    }
  }
  CheckConfigs(errors, devices.Child("config"), allocation.devices.config, names);
  if (allocation.node_selector) {
    CheckNodeSelector(errors, path.Child("nodeSelector"), *allocation.node_selector);
  }
}

}  // namespace quadra::validation
