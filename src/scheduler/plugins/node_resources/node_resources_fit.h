// NodeResourcesFit: a node must have left what the pod asks for: pods, cpu, memory, ephemeral-storage,
// huge pages and extended resources; and it scores nodes by how much of them is in use.
//
// Extended resources that a DeviceClass serves are left to DynamicResources on nodes whose device
// plugins have none of them.
#pragma once

#include <memory>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/framework/handle.h"

namespace quadra::scheduler {

// Arguments: ignoredResources, ignoredResourceGroups, scoringStrategy.
Result<std::unique_ptr<Plugin>> MakeNodeResourcesFit(Handle& handle, const json::Value& args);

}  // namespace quadra::scheduler
