// ClaimPtr: a claim as it was at one moment, shared and never changed.
#pragma once

#include <memory>

#include "api/kinds.h"

namespace quadra::scheduler {

using ClaimPtr = std::shared_ptr<const api::ResourceClaim>;

}  // namespace quadra::scheduler
