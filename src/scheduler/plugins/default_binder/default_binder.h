// DefaultBinder: writes which node a pod goes to, as the pod's subresource binding.
//
// A refusal of the server is an error: the pod is tried again after a backoff. Where an answer is lost
// the pod is asked, until that is known, whether it has the node: what it holds there must not go to
// others. Not if strict: upstream takes it for a refusal.
#pragma once

#include <memory>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/framework/handle.h"

namespace quadra::scheduler {

Result<std::unique_ptr<Plugin>> MakeDefaultBinder(Handle& handle, const json::Value& args);

}  // namespace quadra::scheduler
