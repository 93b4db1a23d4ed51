#include "validation/claim_spec.h"

#include <cstdint>

#include "validation/claim_config.h"
#include "validation/claim_constraints.h"
#include "validation/claim_derived_attributes.h"
#include "validation/claim_limits.h"
#include "validation/claim_lists.h"
#include "validation/claim_request_names.h"
#include "validation/claim_requests.h"

namespace quadra::validation {
namespace {

void CheckConfigs(ErrorList& errors, const Path& path,
                  const api::List<api::DeviceClaimConfiguration>& configs,
                  const RequestNames& names) {
  if (ReportSize(errors, path, configs, kMaxConfigs)) {
    return;
  }
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const Path item = path.Index(i);
    CheckRequestReferences(errors, item.Child("requests"), configs[i].requests, names);
    CheckOpaque(errors, item, configs[i].opaque, Age::kNew);
  }
}

}  // namespace

void CheckClaimSpec(ErrorList& errors, const Path& path, const api::ResourceClaimSpec& spec,
                    const Request& request) {
  const api::DeviceClaim& claim = spec.devices;
  const Path devices = path.Child("devices");
  const RequestNames names(claim);
  const std::uint64_t cost = CheckRequests(errors, devices.Child("requests"), claim.requests,
                                           ConstrainedAttributes(claim.constraints), request);
  CheckConstraints(errors, devices.Child("constraints"), claim.constraints, names, request);
  CheckConfigs(errors, devices.Child("config"), claim.config, names);
  if (cost > kMaxDerivedAttributesCost) {
    errors.Forbidden(devices,
                     "too complex, total cost of derived attribute CEL expressions in the claim "
                     "exceeds cost limit");
  }
}

}  // namespace quadra::validation
