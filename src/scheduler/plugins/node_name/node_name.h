// NodeName: a pod whose spec names its node fits that node alone.
#pragma once

#include <memory>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/framework/handle.h"

namespace quadra::scheduler {

Result<std::unique_ptr<Plugin>> MakeNodeName(Handle& handle, const json::Value& args);

}  // namespace quadra::scheduler
