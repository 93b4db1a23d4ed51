// Configuration for drivers: opaque parameters in classes, claims and allocations.
#pragma once

#include <optional>

#include "api/kinds.h"
#include "validation/claim_selectors.h"
#include "validation/field_error.h"
#include "validation/path.h"

namespace quadra::validation {

// JSON that only a driver understands: must be an object. Its size counts only when it is new.
void CheckOpaqueJson(ErrorList& errors, const Path& path, const api::RawJson& json, Age age);

// The `opaque` part of a configuration, required by hand-written rules. `path` is the
// configuration's.
void CheckOpaque(ErrorList& errors, const Path& path,
                 const std::optional<api::OpaqueDeviceConfiguration>& opaque, Age age);

}  // namespace quadra::validation
