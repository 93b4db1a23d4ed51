// NodeDeclaredFeatures: a pod that needs a feature of the kubelet fits nodes alone that declare it.
//
// Which features those are is upstream's list for Kubernetes 1.37, as far as pods are placed by them:
// restarting all containers, user namespaces beside the host's network, options of bind mounts.
#pragma once

#include <memory>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/framework/handle.h"

namespace quadra::scheduler {

Result<std::unique_ptr<Plugin>> MakeNodeDeclaredFeatures(Handle& handle, const json::Value& args);

}  // namespace quadra::scheduler
