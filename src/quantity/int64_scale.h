// Powers of ten on int64: the arithmetic of a quantity's fast form.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace quadra::quantity {

inline constexpr std::int32_t kMaxPower = 18;  // 10^18 is the largest power of ten in an int64
inline constexpr std::array<std::int64_t, kMaxPower + 1> kPowersOfTen = [] {
  std::array<std::int64_t, kMaxPower + 1> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) {
    powers[i] = powers[i - 1] * 10;
  }
  return powers;
}();

// value * 10^power, or nothing if that leaves int64. REQUIRES: power >= 0.
inline std::optional<std::int64_t> ScaledUp(std::int64_t value, std::int32_t power) {
  if (value == 0) {
    return 0;
  }
  std::int64_t product = 0;
  if (power > kMaxPower ||
      __builtin_mul_overflow(value, kPowersOfTen[static_cast<std::size_t>(power)], &product)) {
    return std::nullopt;
  }
  return product;
}

struct Shortened {
  std::int64_t value;
  bool exact;
};

// value / 10^power, away from zero where digits are lost. REQUIRES: power >= 0.
inline Shortened ScaledDown(std::int64_t value, std::int32_t power) {
  if (power > kMaxPower) {
    return {(value > 0) - (value < 0), value == 0};
  }
  const std::int64_t divisor = kPowersOfTen[static_cast<std::size_t>(power)];
  const std::int64_t rest = value % divisor;
  return {value / divisor + ((rest > 0) - (rest < 0)), rest == 0};
}

inline std::optional<std::int64_t> ExactlyScaledDown(std::int64_t value, std::int32_t power) {
  const Shortened shortened = ScaledDown(value, power);
  return shortened.exact ? std::optional(shortened.value) : std::nullopt;
}

}  // namespace quadra::quantity
