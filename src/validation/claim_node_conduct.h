// What a device asks of scheduler and kubelet: conditions to wait for before binding, and node
// operations to leave out. The same rules for devices of a ResourceSlice and for allocation
// results, which copy these fields.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "api/kinds.h"
#include "validation/field_error.h"
#include "validation/path.h"

namespace quadra::validation {

inline constexpr std::size_t kMaxBindingConditions = 4;  // of success and of failure, each
inline constexpr std::string_view kSkippableOperations[] = {"*", "NodePrepareResources",
                                                            "NodeUnprepareResources"};

// Each list wants the other one, and they have nothing in common. `path` is that of the device or
// result.
void CheckBindingConditions(ErrorList& errors, const Path& path,
                            const api::List<std::string>& success,
                            const api::List<std::string>& failure);

void CheckSkipNodeOperations(ErrorList& errors, const Path& path,
                             const api::List<std::string>& operations);

}  // namespace quadra::validation
