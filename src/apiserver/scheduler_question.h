// SchedulerQuestion: how a server asks the scheduler that works for it what came of its last attempt
// on a pod. Part of server.h.
//
//   GET /quadra/explain/NAMESPACE/POD    // the scheduler's JSON, or 404
//
// Who may get the pod may ask.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace quadra::apiserver {

struct PodName {
  std::string ns;
  std::string name;
};

// A JSON text; nothing: it remembers no attempt. An error: it could not be asked.
using LastAttemptJson = Result<std::optional<std::string>>;

// `tell` is called once, by any thread, also before this returns. Called by many threads at once; must
// not wait.
using AskScheduler =
    std::function<void(const PodName& pod, std::function<void(LastAttemptJson)> tell)>;

}  // namespace quadra::apiserver
