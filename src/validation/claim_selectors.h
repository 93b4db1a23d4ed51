// Selectors: which devices a class or a request accepts.
#pragma once

#include <cstdint>

#include "api/kinds.h"
#include "validation/field_error.h"
#include "validation/path.h"
#include "validation/validate.h"

namespace quadra::validation {

// Whether something is new, or was accepted by an earlier write and therefore is not looked into
// again.
enum class Age : std::uint8_t { kNew, kStored };

void CheckSelectors(ErrorList& errors, const Path& path,
                    const api::List<api::DeviceSelector>& selectors, Age age,
                    const Request& request);

}  // namespace quadra::validation
