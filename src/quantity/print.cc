// The canonical text of a quantity: an integer mantissa and the largest suffix of its format that
// keeps it one. Numbers in an int64 are printed without a detour through Decimal.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
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

// What follows a mantissa; `exponent` counts tens, or binary thousands for kBinarySi. Outside the
// tables upstream prints no suffix at all.
class Suffix {
 public:
  Suffix(std::int32_t exponent, Format format) {
    if (format == Format::kBinarySi) {
      const auto index = static_cast<std::size_t>(exponent);
      text_ = index < kBinarySuffixes.size() ? kBinarySuffixes[index] : "";
    } else if (format == Format::kDecimalSi) {
      const bool known = exponent >= -9 && exponent <= 18;
      text_ = known ? kDecimalSuffixes[static_cast<std::size_t>(exponent + 9) / 3] : "";
    } else if (exponent != 0) {
      const char* end = std::to_chars(&buffer_[1], buffer_.end(), exponent).ptr;
      text_ = {buffer_.data(), end};
    }
  }
  Suffix(const Suffix&) = delete;
  Suffix& operator=(const Suffix&) = delete;

  std::string_view text() const { return text_; }

 private:
  std::array<char, 12> buffer_{'e'};
  std::string_view text_;  // into buffer_ or a table
};

// How far an exponent lies above the multiple of three below it.
std::int32_t AboveThird(std::int32_t exponent) { return (exponent % 3 + 3) % 3; }

std::string DecimalText(Decimal number, Format format) {
  const std::int32_t exponent = RemoveFactors(number.unscaled, 10) - number.scale;
  const std::int32_t surplus = AboveThird(exponent);
  number.unscaled *= kPowersOfTen[static_cast<std::size_t>(surplus)];
  return number.unscaled.get_str().append(Suffix(exponent - surplus, format).text());
}

// Nothing for a fraction.
std::optional<std::string> BinaryText(const Decimal& number) {
  Decimal whole = RoundedUp(number, 0);
  if (Compare(whole, number) != 0) {
    return std::nullopt;
  }
  const std::int32_t thousands = RemoveFactors(whole.unscaled, 1024);
  return whole.unscaled.get_str().append(Suffix(thousands, Format::kBinarySi).text());
}

struct Split {
  std::int64_t mantissa;
  std::int32_t exponent;
};

std::string Text(const Split& split, Format format) {
  std::array<char, 32> text;  // 20 for the mantissa, 12 for the suffix
  char* end = std::to_chars(text.data(), text.data() + text.size(), split.mantissa).ptr;
  end = std::ranges::copy(Suffix(split.exponent, format).text(), end).out;
  return {text.data(), end};
}

// Nothing if the mantissa leaves int64. REQUIRES: value is not 0.
std::optional<Split> SplitDecimal(std::int64_t value, std::int32_t exponent) {
  for (; value % 10 == 0; value /= 10) {
    ++exponent;
  }
  const std::int32_t surplus = AboveThird(exponent);
  const auto mantissa = ScaledUp(value, surplus);
  return mantissa ? std::optional(Split{*mantissa, exponent - surplus}) : std::nullopt;
}

// Nothing for a fraction and for an integer beyond int64. REQUIRES: value is not 0.
std::optional<Split> SplitBinary(std::int64_t value, std::int32_t exponent) {
  const auto whole =
      exponent >= 0 ? ScaledUp(value, exponent) : ExactlyScaledDown(value, -exponent);
  if (!whole) {
    return std::nullopt;
  }
  const int thousands = std::countr_zero(static_cast<std::uint64_t>(*whole)) / 10;
  return Split{*whole >> (10 * thousands), thousands};
}

// Whether a quantity of format kBinarySi is too small to be shown so.
bool IsBelow1024(const Quantity& quantity) {
  return quantity.CmpInt64(-1024) > 0 && quantity.CmpInt64(1024) < 0;
}

}  // namespace

std::string Quantity::CanonicalText() const {
  if (IsZero()) {
    return "0";
  }
  const bool small = form_ != Form::kWide;
  if (format_ == Format::kBinarySi && !IsBelow1024(*this)) {
    if (const auto split = small ? SplitBinary(SmallValue(), scale_) : std::nullopt) {
      return Text(*split, format_);
    }
    if (auto text = BinaryText(AsDecimal())) {
      return *std::move(text);
    }
  }
  const Format format = format_ == Format::kBinarySi ? Format::kDecimalSi : format_;
  const auto split = small ? SplitDecimal(SmallValue(), scale_) : std::nullopt;
  return split ? Text(*split, format) : DecimalText(AsDecimal(), format);
}

std::string Quantity::ToString() const {
  return IsSpelled() ? payload_.spelling->text : CanonicalText();
}

std::string Quantity::AllPlaces() const {
  const Decimal number = AsDecimal();
  const mpz_class magnitude = abs(number.unscaled);
  std::string digits = magnitude.get_str();
  if (number.scale < 0 && sgn(magnitude) != 0) {
    digits.append(static_cast<std::size_t>(-number.scale), '0');
  } else if (number.scale > 0) {
    const auto places = static_cast<std::size_t>(number.scale);
    digits.insert(0, places + 1 - std::min(places + 1, digits.size()), '0');
    digits.insert(digits.size() - places, 1, '.');
  }
  return (sgn(number.unscaled) < 0 ? "-" : "") + digits;
}

}  // namespace quadra::quantity
