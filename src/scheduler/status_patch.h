// StatusPatch: what the scheduler writes into the status of a pod that it did not place.
#pragma once

#include <optional>
#include <string>

#include "api/kinds.h"
#include "base/clock.h"
#include "client/api.h"

namespace quadra::scheduler {

struct NotPlaced {
  std::string reason;  // Unschedulable or SchedulerError
  std::string message;
  // status.nominatedNodeName from now on; absent: as it is.
  std::optional<std::string> nominated_node;
};

// The change, of this very pod, that gives it the condition PodScheduled=False and the nomination;
// absent where it has both.
std::optional<client::Change> StatusPatch(const api::Pod& pod, const NotPlaced& wanted, Time now);

}  // namespace quadra::scheduler
