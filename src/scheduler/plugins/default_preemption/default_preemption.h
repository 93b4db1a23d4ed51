// DefaultPreemption: where no node takes a pod, pods of lower priority are ended so that one does.
//
// As upstream's plugin: who may preempt, on which nodes it is tried, who the victims are and how they
// are ended (candidates.h, victims.h, evictions.h). Groups of pods are not looked at. What we add:
// with `preempt_devices` the filters count devices of victims as free, so that pods are ended for
// these too; the plan then names them.
// Threads: the scheduler's loop. Cost: that of FindCandidates; nothing is written within the cycle.
#pragma once

#include <memory>

#include "base/result.h"
#include "json/value.h"
#include "scheduler/framework/handle.h"
#include "scheduler/framework/plugin.h"

namespace quadra::scheduler {

// `handle` must outlive it. The error names the argument.
Result<std::unique_ptr<Plugin>> MakeDefaultPreemption(Handle& handle, const json::Value& args);

}  // namespace quadra::scheduler
