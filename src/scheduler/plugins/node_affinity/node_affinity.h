// NodeAffinity: nodes that the pod's nodeSelector and required node affinity select, with what the
// configuration requires of all pods besides; of those it prefers nodes by the preferred terms.
//
// A pod that is bound to nodes by name is looked at on those alone.
#pragma once

#include <memory>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/framework/handle.h"

namespace quadra::scheduler {

// Arguments: addedAffinity, as a pod's nodeAffinity.
Result<std::unique_ptr<Plugin>> MakeNodeAffinity(Handle& handle, const json::Value& args);

}  // namespace quadra::scheduler
