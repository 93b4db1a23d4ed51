// --now: the time that a command takes for the present, for every verb whose output has times.
#pragma once

#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "cli/verb.h"

namespace quadra::cli {

inline constexpr std::string_view kNowFlagName = "now";

// Nothing where the flag is not given. Fails where its value is no time of RFC 3339.
Result<std::optional<Time>> ReadNow(const Invocation& invocation);

}  // namespace quadra::cli
