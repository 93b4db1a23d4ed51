#include "api/text.h"

#include <chrono>
#include <cstdint>

#include "fmt/format.h"

namespace quadra::api {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Eats a time's text from the front; any failure sticks.
class TimeScanner {
 public:
  explicit TimeScanner(std::string_view text) : text_(text) {}

  int Digits(std::size_t count) {
    int number = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (text_.size() <= i || !IsDigit(text_[i])) {
        ok_ = false;
        return 0;
      }
      number = number * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(count);
    return number;
  }
  int OneOrTwoDigits() { return Digits(text_.size() > 1 && IsDigit(text_[1]) ? 2 : 1); }
  void Literal(char c) {
    if (text_.starts_with(c)) {
      text_.remove_prefix(1);
    } else {
      ok_ = false;
    }
  }
  bool AtFraction() const {
    return text_.size() > 1 && (text_[0] == '.' || text_[0] == ',') && IsDigit(text_[1]);
  }
  // Microseconds of a fraction; later digits are read and dropped.
  std::int64_t Fraction() {
    text_.remove_prefix(1);
    std::int64_t micros = 0;
    for (int digits = 0; digits < 6 || (!text_.empty() && IsDigit(text_[0])); ++digits) {
      const bool have = !text_.empty() && IsDigit(text_[0]);
      if (digits < 6) {
        micros = micros * 10 + (have ? text_[0] - '0' : 0);
      }
      text_.remove_prefix(have ? 1 : 0);
    }
    return micros;
  }
  // Z, or a sign with hours and minutes.
  std::chrono::minutes Offset() {
    if (text_.starts_with('Z')) {
      text_.remove_prefix(1);
      return {};
    }
    const bool minus = text_.starts_with('-');
    Literal(minus ? '-' : '+');
    const int hours = Digits(2);
    Literal(':');
    const int minutes = Digits(2);
    ok_ = ok_ && hours <= 24 && minutes <= 60;
    const std::chrono::minutes offset(hours * 60 + minutes);
    return minus ? -offset : offset;
  }
  bool ok() const { return ok_; }
  bool done() const { return ok_ && text_.empty(); }

 private:
  std::string_view text_;
  bool ok_ = true;
};

std::optional<Time> ScanTime(std::string_view text, bool exact_micros) {
  TimeScanner scan(text);
  const std::chrono::year year(scan.Digits(4));
  scan.Literal('-');
  const std::chrono::month month(static_cast<unsigned>(scan.Digits(2)));
  scan.Literal('-');
  const std::chrono::day day(static_cast<unsigned>(scan.Digits(2)));
  scan.Literal('T');
  const int hour = scan.OneOrTwoDigits();
  scan.Literal(':');
  const int minute = scan.Digits(2);
  scan.Literal(':');
  const int second = scan.Digits(2);
  std::int64_t micros = 0;
  if (exact_micros) {
    scan.Literal('.');
    micros = scan.Digits(6);
  } else if (scan.ok() && scan.AtFraction()) {
    micros = scan.Fraction();
  }
  const std::chrono::minutes offset = scan.Offset();
  const std::chrono::year_month_day date(year, month, day);
  if (!scan.done() || !date.ok() || hour > 23 || minute > 59 || second > 59) {
    return std::nullopt;
  }
  const Time time = Time(std::chrono::sys_days(date)) + std::chrono::hours(hour) +
                    std::chrono::minutes(minute) + std::chrono::seconds(second) +
                    std::chrono::microseconds(micros) - offset;
  return CanBeWritten(time) ? std::optional(time) : std::nullopt;
}

}  // namespace

bool CanBeWritten(Time time) {
  constexpr std::chrono::year kAfterLast(10'000);
  return time >= Time(std::chrono::sys_days(std::chrono::year(0) / 1 / 1)) &&
         time < Time(std::chrono::sys_days(kAfterLast / 1 / 1));
}

std::optional<Time> ParseTime(std::string_view text) { return ScanTime(text, false); }
std::optional<Time> ParseMicroTime(std::string_view text) { return ScanTime(text, true); }

void AppendTime(std::string& out, Time time) { out += FormatSeconds(time); }

void AppendMicroTime(std::string& out, Time time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  out += FormatSeconds(time);
  out.pop_back();
  fmt::format_to(std::back_inserter(out), ".{:06}Z", (time - seconds).count());
}

}  // namespace quadra::api
