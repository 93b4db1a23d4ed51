// The scheduler: gives every pod that waits a node, and the devices that it claims, as kube-scheduler
// would. A door of this folder.
//
//   const auto scheduler = MakeScheduler(context, {.config = DefaultConfig()});
//   context.informers.Start([&] { scheduler->Start(); });
//
// Promises, under any order of events, conflicts, lost answers and restarts:
//  - a pod is bound only when its claims are allocated for the node and reserved for it;
//  - no device is given to two pods by this scheduler, whatever is still being written;
//  - a pod that can be placed is placed in the end: what may make it schedulable wakes it;
//  - within a scheduling cycle no request is sent: what is decided is written afterwards.
// With `strict` everything is as upstream does it, also where we deviate on purpose.
//
// Threads: the context's loop. Cost of a cycle: the nodes looked at.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "client/role.h"
#include "scheduler/attempt_log.h"
#include "scheduler/config.h"

namespace quadra::scheduler {

struct SchedulerOptions {
  SchedulerConfig config;
  bool strict = false;
  // Preemption also frees devices: claims of victims that nobody else uses count as free.
  bool preempt_devices = true;
  // What came of each attempt; null: nobody asks. Outlives the scheduler by sharing.
  std::shared_ptr<AttemptLog> attempts;
};

// Wrong names or arguments of plugins in the configuration are an error.
quadra::Status CheckPlugins(const SchedulerConfig& config);

// What `context` refers to must outlive it. REQUIRES: CheckPlugins found nothing.
std::unique_ptr<client::Controller> MakeScheduler(client::ControllerContext& context,
                                                  const SchedulerOptions& options);

}  // namespace quadra::scheduler
