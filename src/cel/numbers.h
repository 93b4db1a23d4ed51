// Conversions between the three kinds of numbers, as the language defines them.
//
// Pure functions without cost worth naming; an empty optional means out of range or not exact.
#pragma once

#include <cstdint>
#include <optional>

namespace quadra::cel {

// Truncates towards zero. The open interval: neither bound of int64 converts.
std::optional<std::int64_t> CheckedInt(double value);
std::optional<std::uint64_t> CheckedUint(double value);

std::optional<std::int64_t> LosslessInt(double value);
std::optional<std::uint64_t> LosslessUint(double value);
std::optional<std::int64_t> LosslessInt(std::uint64_t value);
std::optional<std::uint64_t> LosslessUint(std::int64_t value);

// -1, 0 or 1. Doubles are no NaN.
int CompareDoubles(double a, double b);
int CompareDoubleInt(double a, std::int64_t b);
int CompareDoubleUint(double a, std::uint64_t b);
int CompareIntUint(std::int64_t a, std::uint64_t b);

}  // namespace quadra::cel
