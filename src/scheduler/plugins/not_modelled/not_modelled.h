// NotModelled: refuses pods that need what this scheduler does not look at, rather than placing them
// without it: volumes that have to be bound or reached, and groups that start together.
//
// It stands in the place of upstream's plugins for volumes and groups. No change of the cluster helps,
// so nothing wakes such a pod.
#pragma once

#include <memory>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/framework/handle.h"

namespace quadra::scheduler {

Result<std::unique_ptr<Plugin>> MakeNotModelled(Handle& handle, const json::Value& args);

}  // namespace quadra::scheduler
