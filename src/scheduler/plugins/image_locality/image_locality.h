// ImageLocality: prefers nodes that have the pod's images, the larger and the more widespread these are.
//
// Cost of a node: a look-up for each image of the pod that some node has.
#pragma once

#include <memory>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/framework/handle.h"

namespace quadra::scheduler {

Result<std::unique_ptr<Plugin>> MakeImageLocality(Handle& handle, const json::Value& args);

}  // namespace quadra::scheduler
