// TaintToleration: keeps pods from nodes with taints that they do not tolerate, and prefers nodes with
// few taints PreferNoSchedule that they do not tolerate.
#pragma once

#include <memory>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/framework/handle.h"

namespace quadra::scheduler {

Result<std::unique_ptr<Plugin>> MakeTaintToleration(Handle& handle, const json::Value& args);

}  // namespace quadra::scheduler
