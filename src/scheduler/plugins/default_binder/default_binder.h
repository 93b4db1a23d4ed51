// DefaultBinder: writes which node a pod goes to, as the pod's subresource binding.
//
// A refusal of the server is an error: the pod is tried again after a backoff.
#pragma once

#include <memory>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/framework/handle.h"

namespace quadra::scheduler {

Result<std::unique_ptr<Plugin>> MakeDefaultBinder(Handle& handle, const json::Value& args);

}  // namespace quadra::scheduler
