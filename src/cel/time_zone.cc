#include "cel/time_zone.h"

#include <algorithm>
#include <array>

#include "cel/timestamp.h"

namespace quadra::cel {
namespace {

constexpr std::int64_t kDay = 86'400;

// Big-endian numbers off the front; reading past the end leaves `ok` false.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : rest_(bytes) {}
  bool ok() const { return ok_; }
  std::string_view rest() const { return rest_; }

  std::string_view Take(std::size_t count) {
    if (count > rest_.size()) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  std::int64_t Number(std::size_t size) {
    const std::string_view taken = Take(size);
    std::uint64_t value = 0;
    for (const char c : taken) {
      value = value << 8 | static_cast<unsigned char>(c);
    }
    return size == 4 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value);
  }

  std::size_t Count() { return static_cast<std::uint32_t>(Number(4)); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

struct Header {
  char version = 0;
  std::size_t utc_marks = 0;
  std::size_t standard_marks = 0;
  std::size_t leaps = 0;
  std::size_t transitions = 0;
  std::size_t zones = 0;
  std::size_t names = 0;

  // Bytes of the block that follows, with times of `size` bytes.
  std::size_t BlockSize(std::size_t size) const {
    return transitions * (size + 1) + zones * 6 + names + leaps * (size + 4) + standard_marks +
           utc_marks;
  }
};

std::optional<Header> TakeHeader(Bytes& bytes) {
  if (bytes.Take(4) != "TZif") {
    return std::nullopt;
  }
  Header header;
  const std::string_view version = bytes.Take(16);
  header.version = version.empty() ? '\0' : version.front();
  header.utc_marks = bytes.Count();
  header.standard_marks = bytes.Count();
  header.leaps = bytes.Count();
  header.transitions = bytes.Count();
  header.zones = bytes.Count();
  header.names = bytes.Count();
  return bytes.ok() ? std::optional(header) : std::nullopt;
}

// Reads one POSIX TZ rule from the front of `text`.
class RuleReader {
 public:
  explicit RuleReader(std::string_view text) : text_(text) {}

  std::optional<ZoneRule> Read() {
    ZoneRule rule;
    std::int32_t west = 0;
    if (!Name() || !Offset(west)) {
      return std::nullopt;
    }
    rule.standard = -west;
    if (text_.empty() || text_.front() == ',') {
      return rule;
    }
    if (!Name()) {
      return std::nullopt;
    }
    rule.has_daylight = true;
    rule.daylight = rule.standard + 3600;
    if (!text_.empty() && text_.front() != ',') {
      if (!Offset(west)) {
        return std::nullopt;
      }
      rule.daylight = -west;
    }
    if (text_.empty()) {
      text_ = ",M3.2.0,M11.1.0";
    }
    return Switch(rule.start) && Switch(rule.end) ? std::optional(rule) : std::nullopt;
  }

 private:
  bool Name() {
    if (text_.starts_with('<')) {
      const std::size_t end = text_.find('>');
      text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
      return end != std::string_view::npos;
    }
    const std::size_t size = std::min(text_.find_first_of("0123456789,-+"), text_.size());
    text_.remove_prefix(size);
    return size >= 3;
  }

  bool Number(int& value) {
    std::size_t size = 0;
    value = 0;
    for (; size < text_.size() && size < 4 && text_[size] >= '0' && text_[size] <= '9'; ++size) {
      value = value * 10 + (text_[size] - '0');
    }
    text_.remove_prefix(size);
    return size > 0;
  }

  bool Take(char c) {
    if (!text_.starts_with(c)) {
      return false;
    }
    text_.remove_prefix(1);
    return true;
  }

  // [+-]h[:m[:s]] in seconds.
  bool Offset(std::int32_t& seconds) {
    const bool negative = Take('-');
    if (!negative) {
      Take('+');
    }
    std::array<int, 3> parts{};
    for (std::size_t i = 0; i < parts.size() && (i == 0 || Take(':')); ++i) {
      if (!Number(parts[i])) {
        return false;
      }
    }
    seconds = parts[0] * 3600 + parts[1] * 60 + parts[2];
    seconds = negative ? -seconds : seconds;
    return true;
  }

  bool Switch(ZoneRule::Switch& out) {
    using Form = ZoneRule::Switch::Form;
    if (!Take(',')) {
      return false;
    }
    if (Take('M')) {
      out.form = Form::kMonthWeekDay;
      if (!Number(out.month) || !Take('.') || !Number(out.week) || !Take('.') || !Number(out.day) ||
          out.month < 1 || out.month > 12 || out.week < 1 || out.week > 5 || out.day > 6) {
        return false;
      }
    } else {
      out.form = Take('J') ? Form::kJulian : Form::kDayOfYear;
      if (!Number(out.day) || out.day > 365) {
        return false;
      }
    }
    return !Take('/') || Offset(out.seconds);
  }

  std::string_view text_;
};

bool IsLeap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

// Days after 1 January on which the switch of `year` falls.
std::int64_t DayOf(const ZoneRule::Switch& rule, std::int64_t year) {
  using Form = ZoneRule::Switch::Form;
  const std::int64_t new_year = DaysFromCivil(year, 1, 1);
  switch (rule.form) {
    case Form::kJulian:
      return rule.day - 1 + (IsLeap(year) && rule.day >= 60 ? 1 : 0);
    case Form::kDayOfYear:
      return rule.day;
    case Form::kMonthWeekDay:
      break;
  }
  const std::int64_t first = DaysFromCivil(year, rule.month, 1);
  const std::int64_t next =
      rule.month == 12 ? DaysFromCivil(year + 1, 1, 1) : DaysFromCivil(year, rule.month + 1, 1);
  const auto weekday = static_cast<int>(((first % 7) + 11) % 7);
  std::int64_t day = (rule.day - weekday + 7) % 7 + (rule.week - 1) * 7;
  while (day >= next - first) {
    day -= 7;
  }
  return first - new_year + day;
}

}  // namespace

std::optional<ZoneRule> ZoneRule::Parse(std::string_view footer) {
  return RuleReader(footer).Read();
}

std::int32_t ZoneRule::OffsetAt(std::int64_t seconds) const {
  if (!has_daylight) {
    return standard;
  }
  const std::int64_t year = ToCalendar(seconds).year;
  const std::int64_t in_year = seconds - DaysFromCivil(year, 1, 1) * kDay;
  std::int64_t begin = DayOf(start, year) * kDay + start.seconds - standard;
  std::int64_t finish = DayOf(end, year) * kDay + end.seconds - daylight;
  const bool southern = finish < begin;
  if (southern) {
    std::swap(begin, finish);
  }
  const bool between = in_year >= begin && in_year < finish;
  return between != southern ? daylight : standard;
}

std::optional<TimeZone> TimeZone::Parse(std::string_view file) {
  Bytes bytes(file);
  std::optional<Header> header = TakeHeader(bytes);
  std::size_t width = 4;
  if (header && header->version >= '2') {
    bytes.Take(header->BlockSize(4));
    header = TakeHeader(bytes);
    width = 8;
  }
  if (!header || header->zones == 0 || header->BlockSize(width) > bytes.rest().size()) {
    return std::nullopt;
  }
  TimeZone zone;
  zone.transitions_.resize(header->transitions);
  for (Transition& transition : zone.transitions_) {
    transition.when = bytes.Number(width);
  }
  for (Transition& transition : zone.transitions_) {
    transition.zone = static_cast<std::uint8_t>(bytes.Take(1).front());
    if (transition.zone >= header->zones) {
      return std::nullopt;
    }
  }
  for (std::size_t i = 0; i < header->zones; ++i) {
    const auto offset = static_cast<std::int32_t>(bytes.Number(4));
    zone.zones_.push_back({offset, bytes.Take(2).front() != 0});
  }
  bytes.Take(header->names + header->leaps * (width + 4) + header->standard_marks +
             header->utc_marks);
  std::string_view footer = bytes.rest();
  if (footer.size() > 2 && footer.front() == '\n' && footer.back() == '\n') {
    zone.rule_ = ZoneRule::Parse(footer.substr(1, footer.size() - 2));
  }
  return zone;
}

// The zone in force before the first transition.
std::size_t TimeZone::FirstZone() const {
  const bool uses_first =
      std::ranges::any_of(transitions_, [](const Transition& t) { return t.zone == 0; });
  if (!uses_first) {
    return 0;
  }
  if (!transitions_.empty() && zones_[transitions_.front().zone].is_daylight) {
    for (std::size_t i = transitions_.front().zone; i > 0; --i) {
      if (!zones_[i - 1].is_daylight) {
        return i - 1;
      }
    }
  }
  for (std::size_t i = 0; i < zones_.size(); ++i) {
    if (!zones_[i].is_daylight) {
      return i;
    }
  }
  return 0;
}

std::int32_t TimeZone::OffsetAt(std::int64_t seconds) const {
  if (transitions_.empty() || seconds < transitions_.front().when) {
    return zones_[FirstZone()].offset;
  }
  const auto after = std::ranges::upper_bound(transitions_, seconds, {}, &Transition::when);
  if (after == transitions_.end() && rule_) {
    return rule_->OffsetAt(seconds);
  }
  return zones_[(after - 1)->zone].offset;
}

}  // namespace quadra::cel
