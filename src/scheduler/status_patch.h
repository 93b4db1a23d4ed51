// StatusPatch: what the scheduler writes into the status of a pod: of one that it did not place why not,
// of one that it ends that it is so.
#pragma once

#include <optional>
#include <string>

#include "api/kinds.h"
#include "base/clock.h"
#include "client/api.h"

namespace quadra::scheduler {

struct StatusWanted {
  struct Condition {
    std::string type;
    std::string status;
    std::string reason;
    std::string message;
  };
  std::optional<Condition> condition;
  // status.nominatedNodeName from now on; absent: as it is.
  std::optional<std::string> nominated_node;
};

// The change, of this very pod, that gives it the condition and the nomination; absent where it has
// both.
std::optional<client::Change> StatusPatch(const api::Pod& pod, const StatusWanted& wanted,
                                          Time now);

}  // namespace quadra::scheduler
