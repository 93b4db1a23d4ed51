// LastAttempt: what the scheduler of a cluster remembers of its last attempt on a pod, as `explain`
// shows it beside its own answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "cli/cli.h"
#include "live/session.h"

namespace quadra::cli {

// A few lines: result, message, nodes, work, and who was refused by which plugin. `json` is what
// /quadra/explain/NAMESPACE/POD answered; members that it lacks are left out.
std::string LastAttemptText(std::string_view json, Time now);

// Asks and prints that, or a note that says why there is nothing: servers of others cannot be asked.
void PrintLastAttempt(live::Session& session, const std::string& ns, const std::string& pod,
                      Console& console);

}  // namespace quadra::cli
