// Timestamps and durations: Go's texts, the language's arithmetic, calendar fields.
//
// Pure. An empty optional means that the text is none, or that the result leaves the range (years 1
// to 9999; int64 nanoseconds).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cel/value.h"

namespace quadra::cel {

inline constexpr std::int64_t kMinUnixTime = -62135596800;  // 0001-01-01T00:00:00Z
inline constexpr std::int64_t kMaxUnixTime = 253402300799;  // 9999-12-31T23:59:59Z

// RFC 3339 with Go's leniency (one-digit hours, a comma before the fraction). Not range-checked:
// an offset may push it out of years 1 to 9999.
std::optional<Timestamp> ParseTimestamp(std::string_view text);
// time.RFC3339Nano in the offset it was parsed with.
std::string TimestampText(const Timestamp& time);
// time.Time's String(): "2009-11-10 23:00:00 +0000 UTC".
std::string GoTime(const Timestamp& time);

// time.ParseDuration, in nanoseconds.
std::optional<std::int64_t> ParseDuration(std::string_view text);
// Seconds with an "s": "3600s", "1.5s".
std::string DurationText(std::int64_t nanoseconds);

// Fields as the language counts them: months, days of the month and of the year from 0, Sunday 0.
struct CalendarTime {
  std::int64_t year = 1970;
  int month = 0;
  int day = 0;
  int day_of_year = 0;
  int day_of_week = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
};
CalendarTime ToCalendar(std::int64_t seconds);
// Days since 1970-01-01; `month` and `day` from 1.
std::int64_t DaysFromCivil(std::int64_t year, int month, int day);

std::optional<Timestamp> AddDuration(const Timestamp& time, std::int64_t nanoseconds);
std::optional<std::int64_t> Difference(const Timestamp& later, const Timestamp& earlier);
int CompareTimestamps(const Timestamp& a, const Timestamp& b);

}  // namespace quadra::cel
