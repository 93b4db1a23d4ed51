// NodeResourcesBalancedAllocation: prefers nodes whose resources are used more evenly with the pod than
// without it.
#pragma once

#include <memory>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/framework/handle.h"

namespace quadra::scheduler {

// Arguments: resources.
Result<std::unique_ptr<Plugin>> MakeBalancedAllocation(Handle& handle, const json::Value& args);

}  // namespace quadra::scheduler
