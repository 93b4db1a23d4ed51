// Age: a span of time in a table's cell, as kubectl writes it: 45s, 4m12s, 11h, 2d3h, 41d.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/clock.h"

namespace quadra::cli {

// Two or three figures. <invalid> for what lies more than a second in the future.
std::string HumanDuration(std::chrono::microseconds duration);

// From `then` to `now`; <unknown> where either is not known.
std::string AgeOf(const std::optional<Time>& then, const std::optional<Time>& now);

}  // namespace quadra::cli
