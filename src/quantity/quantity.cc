#include "quantity/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "base/check.h"
#include "quantity/decimal.h"
#include "quantity/int64_scale.h"

namespace quadra::quantity {
namespace {

constexpr std::int64_t kMinInt64 = std::numeric_limits<std::int64_t>::min();

int SignOf(std::int64_t value) { return (value > 0) - (value < 0); }

// a * 10^`shift` against b. REQUIRES: shift >= 0.
int CompareShifted(std::int64_t a, std::int32_t shift, std::int64_t b) {
  if (shift > kMaxPower) {
    return a == 0 ? -SignOf(b) : SignOf(a);  // |a * 10^19| is beyond every int64
  }
  const auto left = static_cast<__int128>(a) * kPowersOfTen[static_cast<std::size_t>(shift)];
  return (left > b) - (left < b);
}

int CompareSmall(std::int64_t a, std::int32_t scale_a, std::int64_t b, std::int32_t scale_b) {
  return scale_a >= scale_b ? CompareShifted(a, scale_a - scale_b, b)
                            : -CompareShifted(b, scale_b - scale_a, a);
}

// What upstream's fast form answers beyond int64: for the powers it multiplies by at once the
// wrapped product, else 0.
std::int64_t OverflowedValue(std::int64_t value, std::int32_t power) {
  const bool at_once = power <= 3 || power == 6 || power == 9;
  if (!at_once || value == kMinInt64) {
    return 0;
  }
  return static_cast<std::int64_t>(
      static_cast<std::uint64_t>(value) *
      static_cast<std::uint64_t>(kPowersOfTen[static_cast<std::size_t>(power)]));
}

// Upstream's scaledValue. Its last digit differs from a true ceiling for negative numbers, and it
// wraps.
std::int64_t ScaledDecimal(const Decimal& number, std::int32_t scale) {
  const std::int32_t shift = number.scale - scale;
  if (shift <= 0) {
    const std::uint64_t power =
        -shift > kMaxPower
            ? std::uint64_t{1} << 63  // what Go's conversion of 1e19 gives
            : static_cast<std::uint64_t>(kPowersOfTen[static_cast<std::size_t>(-shift)]);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(Wrapped(number.unscaled)) * power);
  }
  if (number.unscaled < std::numeric_limits<std::int64_t>::max() && shift <= kMaxPower) {
    const std::int64_t digits = Wrapped(number.unscaled);
    const std::int64_t divisor = kPowersOfTen[static_cast<std::size_t>(shift)];
    return digits / divisor + (digits % divisor != 0 ? 1 : 0);
  }
  const mpz_class divisor = PowerOfTen(shift);
  mpz_class quotient, rest;
  mpz_fdiv_qr(quotient.get_mpz_t(), rest.get_mpz_t(), number.unscaled.get_mpz_t(),
              divisor.get_mpz_t());
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(Wrapped(quotient)) +
                                   (sgn(rest) != 0 ? 1U : 0U));
}

// The nearest double of a decimal integer's text, ties to even.
double NearestDouble(const std::string& digits) {
  double nearest = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), nearest);
  if (error == std::errc::result_out_of_range) {
    return digits.front() == '-' ? -std::numeric_limits<double>::infinity()
                                 : std::numeric_limits<double>::infinity();
  }
  return nearest;
}

// Go's math.Pow10, which multiplies two table entries; the product is not always the nearest
// double.
double GoPowerOfTen(std::int32_t exponent) {
  const auto power = [](int n) { return NearestDouble("1e" + std::to_string(n)); };
  if (exponent > 308) {
    return std::numeric_limits<double>::infinity();
  }
  if (exponent < -323) {
    return 0;
  }
  return exponent >= 0 ? power(exponent / 32 * 32) * power(exponent % 32)
                       : power(exponent / 32 * 32) / power(-exponent % 32);
}

}  // namespace

Quantity Quantity::Of(std::int64_t value, Format format, std::int32_t scale) {
  QUADRA_CHECK(scale >= -kMaxExponent && scale <= kMaxExponent,
               "a scale is a small constant of the caller");
  Quantity quantity;
  quantity.payload_.value = value;
  quantity.scale_ = scale;
  quantity.format_ = format;
  return quantity;
}

Quantity Quantity::Spelled(std::int64_t value, std::int32_t scale, Format format,
                           std::string_view text) {
  Quantity quantity = Of(value, format, scale);
  if (quantity.CanonicalText() != text) {
    quantity.payload_.spelling = new Spelling{value, std::string(text)};
    quantity.form_ = Form::kSpelled;
  }
  return quantity;
}

// Goes in place if the digits are an int64 and zeros; integers then get scale_ 0 if they can, which
// compares fastest.
Quantity Quantity::FromDecimal(Decimal number, Format format) {
  Quantity quantity;
  quantity.format_ = format;
  quantity.form_ = Form::kDecimal;
  quantity.scale_ = -number.scale;
  if (sgn(number.unscaled) == 0) {
    return quantity;
  }
  mpz_class digits = number.unscaled;
  std::int32_t zeros = RemoveFactors(digits, 10);
  if (digits.fits_slong_p() == 0 || zeros > std::numeric_limits<std::uint16_t>::max()) {
    quantity.form_ = Form::kWide;
    quantity.payload_.wide = new Decimal(std::move(number));
    return quantity;
  }
  std::int64_t value = digits.get_si();
  const std::int32_t surplus = std::min(zeros, zeros - number.scale);
  if (surplus > 0) {
    if (const auto scaled = ScaledUp(value, surplus)) {
      value = *scaled;
      zeros -= surplus;
    }
  }
  quantity.payload_.value = value;
  quantity.scale_ = zeros - number.scale;
  quantity.zeros_ = static_cast<std::uint16_t>(zeros);
  return quantity;
}

Decimal Quantity::AsDecimal() const {
  if (form_ == Form::kWide) {
    return *payload_.wide;
  }
  Decimal number{mpz_class(SmallValue()), zeros_ - scale_};
  if (zeros_ > 0) {
    number.unscaled *= PowerOfTen(zeros_);
  }
  return number;
}

void Quantity::CloneHeap() {
  if (form_ == Form::kWide) {
    payload_.wide = new Decimal(*payload_.wide);
  } else {
    payload_.spelling = new Spelling(*payload_.spelling);
  }
}

void Quantity::FreeHeap() {
  if (form_ == Form::kWide) {
    delete payload_.wide;
  } else {
    delete payload_.spelling;
  }
}

void Quantity::DropText() {
  if (IsSpelled()) {
    const std::int64_t value = payload_.spelling->value;
    delete payload_.spelling;
    payload_.value = value;
    form_ = form_ == Form::kSpelled ? Form::kFast : Form::kDecimal;
  }
}

int Quantity::CmpUnlike(const Quantity& other) const {
  if (form_ != Form::kWide && other.form_ != Form::kWide) {
    return CompareSmall(SmallValue(), scale_, other.SmallValue(), other.scale_);
  }
  return Compare(AsDecimal(), other.AsDecimal());
}

int Quantity::CmpInt64(std::int64_t other) const {
  if (form_ != Form::kWide) {
    return CompareSmall(SmallValue(), scale_, other, 0);
  }
  return Compare(*payload_.wide, {mpz_class(other), 0});
}

int Quantity::Sign() const {
  return form_ == Form::kWide ? sgn(payload_.wide->unscaled) : SignOf(SmallValue());
}

void Quantity::AdoptFormat(const Quantity& other) {
  if (IsZero()) {
    format_ = other.format_;
  }
}

bool Quantity::AddFast(std::int64_t value, std::int32_t scale) {
  if (value == 0) {
    return true;
  }
  if (payload_.value == 0) {
    payload_.value = value;
    scale_ = scale;
    return true;
  }
  const std::int32_t common = std::min(scale_, scale);
  const auto a = ScaledUp(payload_.value, scale_ - common);
  const auto b = ScaledUp(value, scale - common);
  std::int64_t sum = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &sum)) {
    return false;
  }
  payload_.value = sum;
  scale_ = common;
  return true;
}

void Quantity::Add(const Quantity& other) {
  AdoptFormat(other);
  DropText();
  if (form_ == Form::kFast && !other.IsDecimal() && AddFast(other.SmallValue(), other.scale_)) {
    return;
  }
  *this = FromDecimal(Sum(AsDecimal(), other.AsDecimal()), format_);
}

// The smallest int64 has no negative, so it is subtracted in the decimal form; upstream's wraps
// there.
void Quantity::Sub(const Quantity& other) {
  AdoptFormat(other);
  DropText();
  if (form_ == Form::kFast && !other.IsDecimal() && other.SmallValue() != kMinInt64 &&
      AddFast(-other.SmallValue(), other.scale_)) {
    return;
  }
  *this = FromDecimal(Difference(AsDecimal(), other.AsDecimal()), format_);
}

void Quantity::Neg() {
  DropText();
  if (IsSmall() && payload_.value != kMinInt64) {
    payload_.value = -payload_.value;
    return;
  }
  Decimal number = AsDecimal();
  number.unscaled = -number.unscaled;
  *this = FromDecimal(std::move(number), format_);
}

// Upstream keeps the fast form only while the product is an integer within int64.
bool Quantity::MulFast(std::int64_t factor) {
  if (payload_.value == 0) {
    return true;
  }
  if (factor == 0) {
    payload_.value = 0;
    scale_ = 0;
    return true;
  }
  std::int64_t product = 0;
  if (__builtin_mul_overflow(payload_.value, factor, &product)) {
    return false;
  }
  const bool kept =
      scale_ >= 0 ? ScaledUp(product, scale_).has_value() : ScaledDown(product, -scale_).exact;
  if (kept) {
    payload_.value = product;
  }
  return kept;
}

bool Quantity::Mul(std::int64_t factor) {
  DropText();
  if (form_ == Form::kFast && MulFast(factor)) {
    return true;
  }
  Decimal number = AsDecimal();
  number.unscaled *= factor;
  const bool exact = number.unscaled.fits_slong_p() != 0;
  *this = FromDecimal(std::move(number), format_);
  return exact;
}

bool Quantity::RoundUp(std::int32_t scale) {
  QUADRA_CHECK(scale >= -kMaxExponent && scale <= kMaxExponent,
               "a scale is a small constant of the caller");
  if (!IsDecimal()) {
    if (scale_ >= scale) {
      return true;
    }
    DropText();
    const Shortened rounded = ScaledDown(payload_.value, scale - scale_);
    payload_.value = rounded.value;
    scale_ = scale;
    return rounded.exact;
  }
  Quantity rounded = FromDecimal(RoundedUp(AsDecimal(), -scale), format_);
  const bool exact = rounded == *this;
  *this = std::move(rounded);
  return exact;
}

std::optional<std::int64_t> Quantity::AsInt64() const {
  if (IsDecimal() || scale_ < 0) {
    return std::nullopt;
  }
  return ScaledUp(SmallValue(), scale_);
}

std::int64_t Quantity::ScaledValue(std::int32_t scale) const {
  if (IsDecimal()) {
    return ScaledDecimal(AsDecimal(), -scale);
  }
  if (scale_ < scale) {
    return ScaledDown(SmallValue(), scale - scale_).value;
  }
  const auto scaled = ScaledUp(SmallValue(), scale_ - scale);
  return scaled ? *scaled : OverflowedValue(SmallValue(), scale_ - scale);
}

double Quantity::AsApproximateDouble() const {
  const Decimal number = AsDecimal();
  const double base = NearestDouble(number.unscaled.get_str());
  return number.scale == 0 ? base : base * GoPowerOfTen(-number.scale);
}

void Quantity::ToDecimal() {
  if (!IsDecimal()) {
    form_ = form_ == Form::kSpelled ? Form::kSpelledDecimal : Form::kDecimal;
  }
}

}  // namespace quadra::quantity
