// The canonical text of a quantity: an integer mantissa and the largest suffix of its format that
// keeps it one.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "quantity/decimal.h"
#include "quantity/int64_scale.h"
#include "quantity/quantity.h"

namespace quadra::quantity {
namespace {

constexpr std::array<std::string_view, 10> kDecimalSuffixes = {"n", "u", "m", "",  "k",
                                                               "M", "G", "T", "P", "E"};
constexpr std::array<std::string_view, 7> kBinarySuffixes = {"",   "Ki", "Mi", "Gi",
                                                             "Ti", "Pi", "Ei"};

// Outside the tables upstream prints no suffix at all.
std::string_view DecimalSuffix(std::int32_t exponent) {
  const bool known = exponent >= -9 && exponent <= 18;
  return known ? kDecimalSuffixes[static_cast<std::size_t>(exponent + 9) / 3] : "";
}

std::string_view BinarySuffix(std::int32_t thousands) {
  const auto index = static_cast<std::size_t>(thousands);
  return index < kBinarySuffixes.size() ? kBinarySuffixes[index] : "";
}

std::string WithDecimalSuffix(std::string mantissa, std::int32_t exponent, Format format) {
  if (format == Format::kDecimalSi) {
    return mantissa.append(DecimalSuffix(exponent));
  }
  return exponent == 0 ? mantissa : mantissa.append("e").append(std::to_string(exponent));
}

// How far an exponent lies above the multiple of three below it.
std::int32_t AboveThird(std::int32_t exponent) { return (exponent % 3 + 3) % 3; }

std::string DecimalText(Decimal number, Format format) {
  std::int32_t exponent = RemoveFactors(number.unscaled, 10) - number.scale;
  const std::int32_t surplus = AboveThird(exponent);
  number.unscaled *= kPowersOfTen[static_cast<std::size_t>(surplus)];
  return WithDecimalSuffix(number.unscaled.get_str(), exponent - surplus, format);
}

// Nothing for a fraction.
std::optional<std::string> BinaryText(const Decimal& number) {
  Decimal whole = RoundedUp(number, 0);
  if (Compare(whole, number) != 0) {
    return std::nullopt;
  }
  const std::int32_t thousands = RemoveFactors(whole.unscaled, 1024);
  return whole.unscaled.get_str().append(BinarySuffix(thousands));
}

// The same for a number in an int64; nothing if the shift to a multiple of three overflows.
std::optional<std::string> SmallDecimalText(std::int64_t value, std::int32_t exponent,
                                            Format format) {
  for (; value % 10 == 0; value /= 10) {
    ++exponent;
  }
  const std::int32_t surplus = AboveThird(exponent);
  const auto mantissa = ScaledUp(value, surplus);
  if (!mantissa) {
    return std::nullopt;
  }
  return WithDecimalSuffix(std::to_string(*mantissa), exponent - surplus, format);
}

// Nothing for a fraction and for an integer beyond int64.
std::optional<std::string> SmallBinaryText(std::int64_t value, std::int32_t exponent) {
  const auto whole =
      exponent >= 0 ? ScaledUp(value, exponent) : ExactlyScaledDown(value, -exponent);
  if (!whole) {
    return std::nullopt;
  }
  std::int64_t mantissa = *whole;
  std::int32_t thousands = 0;
  for (; mantissa % 1024 == 0; mantissa /= 1024) {
    ++thousands;
  }
  return std::to_string(mantissa).append(BinarySuffix(thousands));
}

}  // namespace

std::string Quantity::CanonicalText() const {
  if (IsZero()) {
    return "0";
  }
  const bool small = form_ != Form::kWide;
  std::optional<std::string> text;
  if (format_ == Format::kBinarySi && (CmpInt64(-1024) <= 0 || CmpInt64(1024) >= 0)) {
    text = small ? SmallBinaryText(SmallValue(), scale_) : std::nullopt;
    text = text ? text : BinaryText(AsDecimal());
  }
  const Format format = format_ == Format::kBinarySi ? Format::kDecimalSi : format_;
  if (!text && small) {
    text = SmallDecimalText(SmallValue(), scale_, format);
  }
  return text ? *std::move(text) : DecimalText(AsDecimal(), format);
}

std::string Quantity::ToString() const {
  return IsSpelled() ? payload_.spelling->text : CanonicalText();
}

}  // namespace quadra::quantity
