// Text forms of times as Go reads and prints them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace quadra::api {

// Go's zero time, which it prints as null and leaves out where zero is left out.
inline constexpr Time kZeroTime =
    Time(std::chrono::sys_days(std::chrono::year(1) / std::chrono::January / 1));

// Whether there is a text for it: from year 0 to 9999, in UTC.
bool CanBeWritten(Time time);

// RFC 3339 as time.Parse takes it: one-digit hours and fractions of a second are fine. Kept to
// microseconds. Nothing where its offset takes it to where no text can say it.
std::optional<Time> ParseTime(std::string_view text);
// As above, but with exactly six digits after the second.
std::optional<Time> ParseMicroTime(std::string_view text);

// In UTC: 2026-08-01T12:18:00Z, and with microseconds 2026-08-01T12:18:00.000000Z.
void AppendTime(std::string& out, Time time);
void AppendMicroTime(std::string& out, Time time);

}  // namespace quadra::api
