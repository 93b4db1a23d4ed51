// NodeUnschedulable: a cordoned node is for pods alone that tolerate the taint which comes with it.
#pragma once

#include <memory>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/framework/handle.h"

namespace quadra::scheduler {

Result<std::unique_ptr<Plugin>> MakeNodeUnschedulable(Handle& handle, const json::Value& args);

}  // namespace quadra::scheduler
