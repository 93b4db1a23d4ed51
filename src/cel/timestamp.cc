#include "cel/timestamp.h"

#include <array>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "cel/go_text.h"

namespace quadra::cel {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kDay = 86'400;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Takes `count` digits off the front.
std::optional<int> TakeNumber(std::string_view& text, std::size_t count) {
  if (text.size() < count) {
    return std::nullopt;
  }
  int value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!IsDigit(text[i])) {
      return std::nullopt;
    }
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool Take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

bool IsLeap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int DaysIn(std::int64_t year, int month) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && IsLeap(year) ? 29 : kDays[static_cast<std::size_t>(month - 1)];
}

// Seconds at 00:00 of the date.
std::optional<std::int64_t> TakeDate(std::string_view& text) {
  const std::optional<int> year = TakeNumber(text, 4);
  const bool first = Take(text, '-');
  const std::optional<int> month = TakeNumber(text, 2);
  const bool second = Take(text, '-');
  const std::optional<int> day = TakeNumber(text, 2);
  if (!year || !first || !month || !second || !day || *month < 1 || *month > 12 || *day < 1 ||
      *day > DaysIn(*year, *month)) {
    return std::nullopt;
  }
  return DaysFromCivil(*year, *month, *day) * kDay;
}

// Seconds since midnight. An hour may have one digit.
std::optional<std::int64_t> TakeClock(std::string_view& text) {
  const std::size_t digits = text.size() > 1 && IsDigit(text[1]) ? 2 : 1;
  const std::optional<int> hour = TakeNumber(text, digits);
  const bool first = Take(text, ':');
  const std::optional<int> minute = TakeNumber(text, 2);
  const bool second = Take(text, ':');
  const std::optional<int> seconds = TakeNumber(text, 2);
  if (!hour || !first || !minute || !second || !seconds || *hour > 23 || *minute > 59 ||
      *seconds > 59) {
    return std::nullopt;
  }
  return *hour * 3600 + *minute * 60 + *seconds;
}

// Nanoseconds; digits after the ninth are dropped.
std::int32_t TakeFraction(std::string_view& text) {
  if (text.size() < 2 || (text[0] != '.' && text[0] != ',') || !IsDigit(text[1])) {
    return 0;
  }
  text.remove_prefix(1);
  std::int32_t value = 0;
  int digits = 0;
  for (; !text.empty() && IsDigit(text.front()); text.remove_prefix(1)) {
    if (digits < 9) {
      value = value * 10 + (text.front() - '0');
      ++digits;
    }
  }
  for (; digits < 9; ++digits) {
    value *= 10;
  }
  return value;
}

std::optional<std::int32_t> TakeOffset(std::string_view& text) {
  if (Take(text, 'Z')) {
    return 0;
  }
  const bool negative = Take(text, '-');
  if (!negative && !Take(text, '+')) {
    return std::nullopt;
  }
  const std::optional<int> hours = TakeNumber(text, 2);
  const bool colon = Take(text, ':');
  const std::optional<int> minutes = TakeNumber(text, 2);
  if (!hours || !colon || !minutes || *hours > 24 || *minutes > 60) {
    return std::nullopt;
  }
  const std::int32_t offset = *hours * 3600 + *minutes * 60;
  return negative ? -offset : offset;
}

std::string FractionText(std::int32_t nanoseconds) {
  if (nanoseconds == 0) {
    return {};
  }
  std::string text = fmt::format(".{:09}", nanoseconds);
  text.resize(text.find_last_not_of('0') + 1);
  return text;
}

std::string OffsetText(std::int32_t seconds, std::string_view between) {
  const int magnitude = std::abs(seconds) / 60;
  return fmt::format("{}{:02}{}{:02}", seconds < 0 ? '-' : '+', magnitude / 60, between,
                     magnitude % 60);
}

constexpr std::uint64_t kTwoTo63 = std::uint64_t{1} << 63;

struct Unit {
  std::string_view name;
  std::uint64_t nanoseconds;
};

std::optional<std::uint64_t> UnitOf(std::string_view name) {
  constexpr std::array<Unit, 8> kUnits = {{{"ns", 1},
                                           {"us", 1'000},
                                           {"\xC2\xB5s", 1'000},
                                           {"\xCE\xBCs", 1'000},
                                           {"ms", 1'000'000},
                                           {"s", 1'000'000'000},
                                           {"m", 60'000'000'000},
                                           {"h", 3'600'000'000'000}}};
  for (const Unit& unit : kUnits) {
    if (unit.name == name) {
      return unit.nanoseconds;
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> TakeWhole(std::string_view& text) {
  std::uint64_t value = 0;
  for (; !text.empty() && IsDigit(text.front()); text.remove_prefix(1)) {
    if (value > kTwoTo63 / 10) {
      return std::nullopt;
    }
    value = value * 10 + static_cast<std::uint64_t>(text.front() - '0');
    if (value > kTwoTo63) {
      return std::nullopt;
    }
  }
  return value;
}

struct Fraction {
  std::uint64_t digits = 0;
  double scale = 1;
};

// Digits that no longer fit are dropped.
Fraction TakeDecimals(std::string_view& text) {
  Fraction fraction;
  bool full = false;
  for (; !text.empty() && IsDigit(text.front()); text.remove_prefix(1)) {
    full = full || fraction.digits > (kTwoTo63 - 1) / 10;
    const std::uint64_t next =
        fraction.digits * 10 + static_cast<std::uint64_t>(text.front() - '0');
    full = full || next > kTwoTo63;
    if (!full) {
      fraction.digits = next;
      fraction.scale *= 10;
    }
  }
  return fraction;
}

// One "1.5h" off the front, in nanoseconds.
std::optional<std::uint64_t> TakeTerm(std::string_view& text) {
  const std::size_t before = text.size();
  const std::optional<std::uint64_t> whole = TakeWhole(text);
  if (!whole) {
    return std::nullopt;
  }
  bool has_digits = text.size() != before;
  Fraction fraction;
  if (Take(text, '.')) {
    const std::size_t point = text.size();
    fraction = TakeDecimals(text);
    has_digits = has_digits || text.size() != point;
  }
  const std::size_t size = text.find_first_of(".0123456789");
  const std::optional<std::uint64_t> unit = UnitOf(text.substr(0, size));
  if (!has_digits || !unit || *whole > kTwoTo63 / *unit) {
    return std::nullopt;
  }
  text.remove_prefix(std::min(size, text.size()));
  std::uint64_t value = *whole * *unit;
  if (fraction.digits > 0) {
    value += static_cast<std::uint64_t>(static_cast<double>(fraction.digits) *
                                        (static_cast<double>(*unit) / fraction.scale));
  }
  return value > kTwoTo63 ? std::nullopt : std::optional(value);
}

}  // namespace

std::int64_t DaysFromCivil(std::int64_t year, int month, int day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

CalendarTime ToCalendar(std::int64_t seconds) {
  std::int64_t days = seconds / kDay;
  auto rest = static_cast<int>(seconds % kDay);
  if (rest < 0) {
    rest += static_cast<int>(kDay);
    --days;
  }
  const std::int64_t shifted = days + 719468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const std::int64_t doe = shifted - era * 146097;
  const std::int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  const std::int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  const auto mp = static_cast<int>((5 * doy + 2) / 153);
  CalendarTime time;
  time.day = static_cast<int>(doy) - (153 * mp + 2) / 5;
  time.month = mp < 10 ? mp + 2 : mp - 10;
  time.year = yoe + era * 400 + (time.month <= 1 ? 1 : 0);
  time.day_of_year = static_cast<int>(days - DaysFromCivil(time.year, 1, 1));
  time.day_of_week = static_cast<int>(((days % 7) + 11) % 7);
  time.hour = rest / 3600;
  time.minute = rest / 60 % 60;
  time.second = rest % 60;
  return time;
}

std::optional<Timestamp> ParseTimestamp(std::string_view text) {
  const std::optional<std::int64_t> date = TakeDate(text);
  if (!date || !Take(text, 'T')) {
    return std::nullopt;
  }
  const std::optional<std::int64_t> clock = TakeClock(text);
  if (!clock) {
    return std::nullopt;
  }
  const std::int32_t nanoseconds = TakeFraction(text);
  const bool has_offset = !text.starts_with('Z');
  const std::optional<std::int32_t> offset = TakeOffset(text);
  if (!offset || !text.empty()) {
    return std::nullopt;
  }
  return Timestamp{*date + *clock - *offset, nanoseconds, *offset, has_offset};
}

std::string TimestampText(const Timestamp& time) {
  const CalendarTime c = ToCalendar(time.seconds + time.offset_seconds);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}{}", c.year, c.month + 1, c.day + 1,
                     c.hour, c.minute, c.second, FractionText(time.nanoseconds),
                     time.offset_seconds == 0 ? "Z" : OffsetText(time.offset_seconds, ":"));
}

std::string GoTime(const Timestamp& time) {
  const CalendarTime c = ToCalendar(time.seconds + time.offset_seconds);
  const std::string offset = OffsetText(time.offset_seconds, "");
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}{} {} {}", c.year, c.month + 1, c.day + 1,
                     c.hour, c.minute, c.second, FractionText(time.nanoseconds), offset,
                     time.offset_seconds == 0 ? "UTC" : offset);
}

std::optional<std::int64_t> ParseDuration(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    text.remove_prefix(1);
  }
  if (text == "0") {
    return 0;
  }
  if (text.empty()) {
    return std::nullopt;
  }
  std::uint64_t total = 0;
  while (!text.empty()) {
    const std::optional<std::uint64_t> term = TakeTerm(text);
    if (!term) {
      return std::nullopt;
    }
    total += *term;
    if (total > kTwoTo63) {
      return std::nullopt;
    }
  }
  if (negative) {
    return static_cast<std::int64_t>(0 - total);
  }
  return total == kTwoTo63 ? std::nullopt : std::optional(static_cast<std::int64_t>(total));
}

std::string DurationText(std::int64_t nanoseconds) {
  const std::int64_t whole = nanoseconds / kSecond;
  const double seconds =
      static_cast<double>(whole) + static_cast<double>(nanoseconds % kSecond) / 1e9;
  return GoFloat(seconds, 'f', -1) + "s";
}

std::string GoDuration(std::int64_t nanoseconds) {
  if (nanoseconds == 0) {
    return "0s";
  }
  const std::string sign = nanoseconds < 0 ? "-" : "";
  const std::uint64_t total = nanoseconds < 0 ? 0 - static_cast<std::uint64_t>(nanoseconds)
                                              : static_cast<std::uint64_t>(nanoseconds);
  const auto fraction = [](std::uint64_t value, std::uint64_t unit, int width) {
    std::string text = fmt::format("{}.{:0{}}", value / unit, value % unit, width);
    text.resize(text.find_last_not_of('0') + 1);
    if (text.back() == '.') {
      text.pop_back();
    }
    return text;
  };
  if (total < 1'000) {
    return fmt::format("{}{}ns", sign, total);
  }
  if (total < 1'000'000) {
    return sign + fraction(total, 1'000, 3) + "\xC2\xB5s";
  }
  if (total < 1'000'000'000) {
    return sign + fraction(total, 1'000'000, 6) + "ms";
  }
  const std::uint64_t minutes = total / 60'000'000'000;
  const std::string seconds = fraction(total % 60'000'000'000, 1'000'000'000, 9) + "s";
  if (minutes == 0) {
    return sign + seconds;
  }
  if (minutes < 60) {
    return fmt::format("{}{}m{}", sign, minutes, seconds);
  }
  return fmt::format("{}{}h{}m{}", sign, minutes / 60, minutes % 60, seconds);
}

std::optional<Timestamp> AddDuration(const Timestamp& time, std::int64_t nanoseconds) {
  std::int64_t seconds = time.seconds + nanoseconds / kSecond;
  std::int64_t rest = time.nanoseconds + nanoseconds % kSecond;
  if (rest >= kSecond) {
    ++seconds;
    rest -= kSecond;
  } else if (rest < 0) {
    --seconds;
    rest += kSecond;
  }
  if (seconds < kMinUnixTime || seconds > kMaxUnixTime) {
    return std::nullopt;
  }
  return Timestamp{seconds, static_cast<std::int32_t>(rest), time.offset_seconds, time.has_offset};
}

std::optional<std::int64_t> Difference(const Timestamp& later, const Timestamp& earlier) {
  std::int64_t result = 0;
  const std::int64_t rest = later.nanoseconds - earlier.nanoseconds;
  if (__builtin_mul_overflow(later.seconds - earlier.seconds, kSecond, &result) ||
      __builtin_add_overflow(result, rest, &result)) {
    return std::nullopt;
  }
  return result;
}

int CompareTimestamps(const Timestamp& a, const Timestamp& b) {
  const auto left = std::pair(a.seconds, a.nanoseconds);
  const auto right = std::pair(b.seconds, b.nanoseconds);
  return left < right ? -1 : static_cast<int>(right < left);
}

}  // namespace quadra::cel
