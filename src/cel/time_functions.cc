// Accessors of timestamps, with and without a time zone, and of durations.
#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/declarations.h"
#include "cel/eval_error.h"
#include "cel/functions.h"
#include "cel/go_text.h"
#include "cel/time_zone.h"
#include "cel/timestamp.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;
using Field = std::int64_t (*)(const CalendarTime& time, const Timestamp& stamp);

std::int64_t Year(const CalendarTime& time, const Timestamp&) { return time.year; }
std::int64_t Month(const CalendarTime& time, const Timestamp&) { return time.month; }
std::int64_t DayOfYear(const CalendarTime& time, const Timestamp&) { return time.day_of_year; }
std::int64_t DayOfMonth(const CalendarTime& time, const Timestamp&) { return time.day; }
std::int64_t Date(const CalendarTime& time, const Timestamp&) { return time.day + 1; }
std::int64_t DayOfWeek(const CalendarTime& time, const Timestamp&) { return time.day_of_week; }
std::int64_t Hours(const CalendarTime& time, const Timestamp&) { return time.hour; }
std::int64_t Minutes(const CalendarTime& time, const Timestamp&) { return time.minute; }
std::int64_t Seconds(const CalendarTime& time, const Timestamp&) { return time.second; }
std::int64_t Milliseconds(const CalendarTime&, const Timestamp& stamp) {
  return stamp.nanoseconds / 1'000'000;
}

// strconv.Atoi.
Result<std::int64_t> ParseNumber(std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with('+')) {
    digits.remove_prefix(1);
  }
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool complete = end == digits.data() + digits.size();
  const bool doubled = digits.size() != text.size() && digits.starts_with('-');
  if (problem == std::errc() && complete && !doubled) {
    return value;
  }
  const bool out_of_range = problem == std::errc::result_out_of_range && complete;
  return Fail(ErrorKind::kInvalid,
              fmt::format("strconv.Atoi: parsing {}: {}", GoQuote(text),
                          out_of_range ? "value out of range" : "invalid syntax"));
}

// "+hh:mm", in seconds.
Result<std::int64_t> FixedOffset(std::string_view zone) {
  const std::size_t colon = zone.find(':');
  QUADRA_TRY(const std::int64_t hours, ParseNumber(zone.substr(0, colon)));
  QUADRA_TRY(const std::int64_t minutes, ParseNumber(zone.substr(colon + 1)));
  constexpr std::int64_t kLimit = 1'000'000;
  const std::int64_t hour_minutes = std::clamp(hours, -kLimit, kLimit) * 60;
  const std::int64_t rest = std::clamp(minutes, -kLimit, kLimit);
  return (zone.front() == '-' ? hour_minutes - rest : hour_minutes + rest) * 60;
}

Result<std::int64_t> NamedOffset(const TimeZones* zones, std::string_view name,
                                 std::int64_t seconds) {
  if (name.empty() || name == "UTC" || name == "Local") {
    return 0;
  }
  if (zones == nullptr) {
    return Fail(ErrorKind::kNotFound, fmt::format("unknown time zone {}", name));
  }
  QUADRA_TRY(const std::string_view bytes, zones->Find(name));
  const std::optional<TimeZone> zone = TimeZone::Parse(bytes);
  if (!zone) {
    return Fail(ErrorKind::kInvalid, "malformed time zone information");
  }
  return zone->OffsetAt(seconds);
}

template <Field field>
Value InUtc(CallContext&, Arguments arguments) {
  const Timestamp& time = arguments[0].as_timestamp();
  return Value::Int(field(ToCalendar(time.seconds), time));
}

template <Field field>
Value InZone(CallContext& context, Arguments arguments) {
  const Timestamp& time = arguments[0].as_timestamp();
  const std::string_view zone = arguments[1].as_text();
  const Result<std::int64_t> offset = zone.find(':') == std::string_view::npos
                                          ? NamedOffset(context.zones, zone, time.seconds)
                                          : FixedOffset(zone);
  if (!offset) {
    return TextError(context.arena, offset.error().message);
  }
  return Value::Int(field(ToCalendar(time.seconds + *offset), time));
}

// Go computes hours, minutes and seconds of a duration in floating point.
template <std::int64_t unit>
Value Whole(CallContext&, Arguments arguments) {
  const std::int64_t duration = arguments[0].as_int();
  const std::int64_t whole = duration / unit;
  const double value =
      static_cast<double>(whole) + static_cast<double>(duration % unit) / static_cast<double>(unit);
  return Value::Int(static_cast<std::int64_t>(value));
}

Value DurationMilliseconds(CallContext&, Arguments arguments) {
  return Value::Int(arguments[0].as_int() / 1'000'000);
}

constexpr Row kRows[] = {
    {"getDate",
     "timestamp_to_day_of_month_1_based",
     kMember,
     "timestamp",
     "int",
     {InUtc<Date>, cost::One, estimate::One}},
    {"getDate",
     "timestamp_to_day_of_month_1_based_with_tz",
     kMember,
     "timestamp, string",
     "int",
     {InZone<Date>, cost::One, estimate::One}},
    {"getDayOfMonth",
     "timestamp_to_day_of_month",
     kMember,
     "timestamp",
     "int",
     {InUtc<DayOfMonth>, cost::One, estimate::One}},
    {"getDayOfMonth",
     "timestamp_to_day_of_month_with_tz",
     kMember,
     "timestamp, string",
     "int",
     {InZone<DayOfMonth>, cost::One, estimate::One}},
    {"getDayOfWeek",
     "timestamp_to_day_of_week",
     kMember,
     "timestamp",
     "int",
     {InUtc<DayOfWeek>, cost::One, estimate::One}},
    {"getDayOfWeek",
     "timestamp_to_day_of_week_with_tz",
     kMember,
     "timestamp, string",
     "int",
     {InZone<DayOfWeek>, cost::One, estimate::One}},
    {"getDayOfYear",
     "timestamp_to_day_of_year",
     kMember,
     "timestamp",
     "int",
     {InUtc<DayOfYear>, cost::One, estimate::One}},
    {"getDayOfYear",
     "timestamp_to_day_of_year_with_tz",
     kMember,
     "timestamp, string",
     "int",
     {InZone<DayOfYear>, cost::One, estimate::One}},
    {"getFullYear",
     "timestamp_to_year",
     kMember,
     "timestamp",
     "int",
     {InUtc<Year>, cost::One, estimate::One}},
    {"getFullYear",
     "timestamp_to_year_with_tz",
     kMember,
     "timestamp, string",
     "int",
     {InZone<Year>, cost::One, estimate::One}},
    {"getHours",
     "timestamp_to_hours",
     kMember,
     "timestamp",
     "int",
     {InUtc<Hours>, cost::One, estimate::One}},
    {"getHours",
     "timestamp_to_hours_with_tz",
     kMember,
     "timestamp, string",
     "int",
     {InZone<Hours>, cost::One, estimate::One}},
    {"getHours",
     "duration_to_hours",
     kMember,
     "duration",
     "int",
     {Whole<3'600'000'000'000>, cost::One, estimate::One}},
    {"getMilliseconds",
     "timestamp_to_milliseconds",
     kMember,
     "timestamp",
     "int",
     {InUtc<Milliseconds>, cost::One, estimate::One}},
    {"getMilliseconds",
     "timestamp_to_milliseconds_with_tz",
     kMember,
     "timestamp, string",
     "int",
     {InZone<Milliseconds>, cost::One, estimate::One}},
    {"getMilliseconds",
     "duration_to_milliseconds",
     kMember,
     "duration",
     "int",
     {DurationMilliseconds, cost::One, estimate::One}},
    {"getMinutes",
     "timestamp_to_minutes",
     kMember,
     "timestamp",
     "int",
     {InUtc<Minutes>, cost::One, estimate::One}},
    {"getMinutes",
     "timestamp_to_minutes_with_tz",
     kMember,
     "timestamp, string",
     "int",
     {InZone<Minutes>, cost::One, estimate::One}},
    {"getMinutes",
     "duration_to_minutes",
     kMember,
     "duration",
     "int",
     {Whole<60'000'000'000>, cost::One, estimate::One}},
    {"getMonth",
     "timestamp_to_month",
     kMember,
     "timestamp",
     "int",
     {InUtc<Month>, cost::One, estimate::One}},
    {"getMonth",
     "timestamp_to_month_with_tz",
     kMember,
     "timestamp, string",
     "int",
     {InZone<Month>, cost::One, estimate::One}},
    {"getSeconds",
     "timestamp_to_seconds",
     kMember,
     "timestamp",
     "int",
     {InUtc<Seconds>, cost::One, estimate::One}},
    {"getSeconds",
     "timestamp_to_seconds_tz",
     kMember,
     "timestamp, string",
     "int",
     {InZone<Seconds>, cost::One, estimate::One}},
    {"getSeconds",
     "duration_to_seconds",
     kMember,
     "duration",
     "int",
     {Whole<1'000'000'000>, cost::One, estimate::One}},
};

}  // namespace

void DeclareTime(Environment& environment) { Declare(environment, kRows); }

}  // namespace quadra::cel
