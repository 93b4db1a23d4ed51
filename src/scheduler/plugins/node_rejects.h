// NodeRejects: the status of a pod that may not run on a node, with upstream's words and our code.
//
//   static const Status kTainted = NodeRejects(Code::kUnschedulableAndUnresolvable, {"node(s) had …"});
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scheduler/framework/status.h"

namespace quadra::scheduler {

inline Status NodeRejects(Code code, std::vector<std::string> words) {
  Status status(code, std::move(words));
  std::string message = status.Message();
  return std::move(status).Because(
      {.code = reasons::Code::kNodeRejects, .message = std::move(message)});
}

}  // namespace quadra::scheduler
