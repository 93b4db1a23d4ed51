// TimeZone: the offset from UTC at any instant, read from the bytes of a TZif file (RFC 8536).
//
// The engine opens no file: the bytes come from the caller. Immutable; look-up is a binary search,
// or, after the last transition, one evaluation of the rule in the file's footer.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace quadra::cel {

// The daylight-saving rule of a footer such as "CET-1CEST,M3.5.0,M10.5.0/3".
struct ZoneRule {
  struct Switch {
    enum class Form : std::uint8_t { kJulian, kDayOfYear, kMonthWeekDay };
    Form form = Form::kMonthWeekDay;
    int day = 0;
    int week = 0;
    int month = 0;
    std::int32_t seconds = 7200;  // local time of the switch
  };
  std::int32_t standard = 0;  // seconds east of UTC
  std::int32_t daylight = 0;
  bool has_daylight = false;
  Switch start;
  Switch end;

  static std::optional<ZoneRule> Parse(std::string_view footer);
  std::int32_t OffsetAt(std::int64_t seconds) const;
};

class TimeZone {
 public:
  // None if the bytes are no TZif file. Time linear in the bytes.
  static std::optional<TimeZone> Parse(std::string_view bytes);

  // Seconds east of UTC at `seconds` since the epoch.
  std::int32_t OffsetAt(std::int64_t seconds) const;

 private:
  struct Transition {
    std::int64_t when;
    std::uint8_t zone;
  };
  struct Zone {
    std::int32_t offset;
    bool is_daylight;
  };

  std::size_t FirstZone() const;

  std::vector<Transition> transitions_;
  std::vector<Zone> zones_;
  std::optional<ZoneRule> rule_;
};

}  // namespace quadra::cel
