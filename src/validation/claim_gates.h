// Fields of claims that the server takes out before it checks anything: those of a feature whose
// gate is off, unless the stored object uses the feature anywhere, and device status of devices
// that are no longer allocated. Gates that are locked on since 1.37 (DRAAdminAccess,
// DRAPrioritizedList, DRAResourceClaimDeviceStatus) have no rule here.
#pragma once

#include "api/kinds.h"
#include "validation/path.h"
#include "validation/strategy.h"
#include "validation/validate.h"

namespace quadra::validation {

// `path` is that of the specification; `old` is null on create.
void DropDisabledSpecFields(const Request& request, const Path& path, api::ResourceClaimSpec& spec,
                            const api::ResourceClaimSpec* old, Dropped& dropped);

// On writes of the status. Features may also be in use in the stored specification.
void DropStatusFields(const Request& request, api::ResourceClaimStatus& status,
                      const api::ResourceClaim& old, Dropped& dropped);

}  // namespace quadra::validation
