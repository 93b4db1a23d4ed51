// NodePorts: a node's port serves one pod; with the same protocol and address, or all of them.
#pragma once

#include <memory>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/framework/handle.h"

namespace quadra::scheduler {

Result<std::unique_ptr<Plugin>> MakeNodePorts(Handle& handle, const json::Value& args);

}  // namespace quadra::scheduler
