#include "cel/numbers.h"

#include <cmath>
#include <limits>

namespace quadra::cel {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr double kTwoTo64 = 18446744073709551616.0;

}  // namespace

std::optional<std::int64_t> CheckedInt(double value) {
  if (std::isnan(value) || value <= -kTwoTo63 || value >= kTwoTo63) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(value);
}

std::optional<std::uint64_t> CheckedUint(double value) {
  if (std::isnan(value) || value < 0 || value >= kTwoTo64) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(value);
}

std::optional<std::int64_t> LosslessInt(double value) {
  const std::optional<std::int64_t> whole = CheckedInt(value);
  return whole && static_cast<double>(*whole) == value ? whole : std::nullopt;
}

std::optional<std::uint64_t> LosslessUint(double value) {
  const std::optional<std::uint64_t> whole = CheckedUint(value);
  return whole && static_cast<double>(*whole) == value ? whole : std::nullopt;
}

std::optional<std::int64_t> LosslessInt(std::uint64_t value) {
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(value);
}

std::optional<std::uint64_t> LosslessUint(std::int64_t value) {
  return value < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(value));
}

int CompareDoubles(double a, double b) { return static_cast<int>(a > b) - static_cast<int>(a < b); }

int CompareDoubleInt(double a, std::int64_t b) {
  if (a < -kTwoTo63) {
    return -1;
  }
  if (a > kTwoTo63) {
    return 1;
  }
  return CompareDoubles(a, static_cast<double>(b));
}

int CompareDoubleUint(double a, std::uint64_t b) {
  if (a < 0) {
    return -1;
  }
  if (a > kTwoTo64) {
    return 1;
  }
  return CompareDoubles(a, static_cast<double>(b));
}

int CompareIntUint(std::int64_t a, std::uint64_t b) {
  if (a < 0) {
    return -1;
  }
  const auto left = static_cast<std::uint64_t>(a);
  return static_cast<int>(left > b) - static_cast<int>(left < b);
}

}  // namespace quadra::cel
