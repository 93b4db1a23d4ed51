// Tolerations of device taints, in requests and in allocation results. Upstream documents at most
// 16 but counts them nowhere.
#pragma once

#include <string_view>

#include "api/kinds.h"
#include "validation/field_error.h"
#include "validation/path.h"

namespace quadra::validation {

inline constexpr std::string_view kTolerationOperators[] = {"Equal", "Exists"};
inline constexpr std::string_view kTaintEffects[] = {"NoExecute", "NoSchedule", "None"};

void CheckTolerations(ErrorList& errors, const Path& path,
                      const api::List<api::DeviceToleration>& tolerations);

}  // namespace quadra::validation
