#include "cli/age.h"

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace quadra::cli {
namespace {

constexpr std::int64_t kDaysOfYear = 365;

// "4m12s", or "4m" where nothing of the smaller unit is left.
std::string TwoUnits(std::int64_t large, std::string_view large_unit, std::int64_t small,
                     std::string_view small_unit) {
  std::string text = fmt::format("{}{}", large, large_unit);
  return small == 0 ? text : text + fmt::format("{}{}", small, small_unit);
}

std::string DaysAndMore(std::int64_t hours) {
  const std::int64_t days = hours / 24;
  if (days < 8) {
    return TwoUnits(days, "d", hours % 24, "h");
  }
  if (days < 2 * kDaysOfYear) {
    return fmt::format("{}d", days);
  }
  const std::int64_t years = days / kDaysOfYear;
  return years < 8 ? TwoUnits(years, "y", days % kDaysOfYear, "d") : fmt::format("{}y", years);
}

}  // namespace

std::string HumanDuration(std::chrono::microseconds duration) {
  const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  if (seconds < -1) {
    return "<invalid>";
  }
  if (seconds < 120) {
    return fmt::format("{}s", seconds < 0 ? 0 : seconds);
  }
  const std::int64_t minutes = seconds / 60;
  if (minutes < 10) {
    return TwoUnits(minutes, "m", seconds % 60, "s");
  }
  if (minutes < 180) {
    return fmt::format("{}m", minutes);
  }
  const std::int64_t hours = minutes / 60;
  if (hours < 8) {
    return TwoUnits(hours, "h", minutes % 60, "m");
  }
  return hours < 48 ? fmt::format("{}h", hours) : DaysAndMore(hours);
}

std::string AgeOf(const std::optional<Time>& then, const std::optional<Time>& now) {
  return then && now ? HumanDuration(*now - *then) : "<unknown>";
}

}  // namespace quadra::cli
