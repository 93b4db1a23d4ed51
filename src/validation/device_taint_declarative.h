// The declarative rules of device taints, for slices and DeviceTaintRules.
#pragma once

#include "validation/claim_tolerations.h"
#include "validation/declarative.h"

namespace quadra::validation {

inline constexpr auto kTaintRules =
    Rules(Field("effect", &api::DeviceTaint::effect, Beta(Required{}, Enum{kTaintEffects})));

}  // namespace quadra::validation
