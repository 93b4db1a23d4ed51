// SchedulingGates: a pod whose spec names gates is not looked at until all of them are gone.
#pragma once

#include <memory>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/framework/handle.h"

namespace quadra::scheduler {

Result<std::unique_ptr<Plugin>> MakeSchedulingGates(Handle& handle, const json::Value& args);

}  // namespace quadra::scheduler
