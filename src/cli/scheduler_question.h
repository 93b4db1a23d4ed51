// SchedulerQuestion: how an API server of ours asks a scheduler what it remembers of a pod, in the same
// process or at the address where it tells of itself.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "apiserver/server.h"
#include "base/result.h"
#include "cli/verb.h"
#include "scheduler/scheduler.h"

namespace quadra::cli {

inline constexpr Flag kSchedulerAddressFlag{
    .name = "scheduler-address",
    .value = "HOST:PORT",
    .help =
        "Where the scheduler of this server tells of itself (its --metrics-address), to be asked "
        "for /quadra/explain/NAMESPACE/POD and so by quadra explain. Its certificate is not "
        "looked at, so name only an address where nobody else can listen."};

// What it remembers at the path /explain/NAMESPACE/POD, as JSON.
std::optional<std::string> AttemptAt(const scheduler::AttemptLog& log, std::string_view path);

apiserver::AskScheduler AskOf(std::shared_ptr<const scheduler::AttemptLog> log);
// Null where the flag was not given. Errors are of kind kUsage and name the flag.
Result<apiserver::AskScheduler> AskAtAddress(const Invocation& invocation);

}  // namespace quadra::cli
