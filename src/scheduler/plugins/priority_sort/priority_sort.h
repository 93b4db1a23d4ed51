// PrioritySort: the name by which configurations ask for the order of the queue: the higher priority
// first, then who came first. The queue has no other (queue/queued_pod.h), so the plugin does nothing.
#pragma once

#include <memory>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/framework/handle.h"

namespace quadra::scheduler {

Result<std::unique_ptr<Plugin>> MakePrioritySort(Handle& handle, const json::Value& args);

}  // namespace quadra::scheduler
