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
constexpr std::int64_t kMaxInt64 = std::numeric_limits<std::int64_t>::max();
constexpr std::int32_t kMaxZeros = std::numeric_limits<std::uint16_t>::max();

// That of the smallest is itself.
std::int64_t WrappingNegative(std::int64_t value) {
  return static_cast<std::int64_t>(-static_cast<std::uint64_t>(value));
}

void CheckScale(std::int32_t scale) {
  QUADRA_CHECK(scale >= -kMaxExponent && scale <= kMaxExponent, "callers name small scales");
}

int SignOf(std::int64_t value) { return (value > 0) - (value < 0); }

// a * 10^`shift` against b. What overflows lies beyond every int64. REQUIRES: shift >= 0.
int CompareShifted(std::int64_t a, std::int32_t shift, std::int64_t b) {
  std::int64_t left = 0;
  if (shift > kMaxPower ||
      __builtin_mul_overflow(a, kPowersOfTen[static_cast<std::size_t>(shift)], &left)) {
    return a == 0 ? -SignOf(b) : SignOf(a);
  }
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
  if (number.unscaled < kMaxInt64 && shift <= kMaxPower) {
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

// The same for digits value * 10^zeros to be shortened by `shift`, where that is plain division in
// an int64.
std::optional<std::int64_t> ScaledInPlace(std::int64_t value, std::int32_t zeros,
                                          std::int32_t shift) {
  if (shift <= 0 || value < 0) {
    return std::nullopt;
  }
  return zeros >= shift ? ScaledUp(value, zeros - shift) : ScaledDown(value, shift - zeros).value;
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
  CheckScale(scale);
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
  if (digits.fits_slong_p() == 0 || zeros > kMaxZeros) {
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
  quantity.Place(Form::kDecimal, value, zeros - number.scale, zeros);
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
  if (IsSmall() && other.IsSmall()) {
    return CompareSmall(payload_.value, scale_, other.payload_.value, other.scale_);
  }
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

// Adds `value` in the scale of `other`, if both and the sum stay in place.
bool Quantity::AddInPlace(std::int64_t value, const Quantity& other) {
  if (form_ == Form::kWide) {
    return false;
  }
  const bool decimal = IsDecimal() || other.IsDecimal();
  if (!decimal && (value == 0 || payload_.value == 0)) {
    scale_ = value == 0 ? scale_ : other.scale_;
    payload_.value += value;
    return true;
  }
  const std::int32_t scale = std::min(scale_, other.scale_);
  const auto a = ScaledUp(payload_.value, scale_ - scale);
  const auto b = ScaledUp(value, other.scale_ - scale);
  const std::int32_t zeros =
      decimal ? std::max(zeros_ - scale_, other.zeros_ - other.scale_) + scale : 0;
  std::int64_t sum = 0;
  if (!a || !b || zeros > kMaxZeros || __builtin_add_overflow(*a, *b, &sum)) {
    return false;
  }
  Place(decimal ? Form::kDecimal : Form::kFast, sum, scale, zeros);
  return true;
}

void Quantity::Add(const Quantity& other) {
  AdoptFormat(other);
  DropText();
  if (other.form_ != Form::kWide && AddInPlace(other.SmallValue(), other)) {
    return;
  }
  *this = FromDecimal(Sum(AsDecimal(), other.AsDecimal()), format_);
}

// The smallest int64 has no negative: between fast forms it stays what it is, as upstream's does;
// otherwise it is subtracted the long way.
void Quantity::Sub(const Quantity& other) {
  AdoptFormat(other);
  DropText();
  const bool fast = form_ == Form::kFast && other.form_ == Form::kFast;
  if (other.form_ != Form::kWide && (fast || other.SmallValue() != kMinInt64) &&
      AddInPlace(WrappingNegative(other.SmallValue()), other)) {
    return;
  }
  *this = FromDecimal(Difference(AsDecimal(), other.AsDecimal()), format_);
}

void Quantity::Neg() {
  DropText();
  if (IsSmall() && (form_ == Form::kFast || payload_.value != kMinInt64)) {
    payload_.value = WrappingNegative(payload_.value);
    return;
  }
  Decimal number = AsDecimal();
  number.unscaled = -number.unscaled;
  *this = FromDecimal(std::move(number), format_);
}

// Upstream keeps the fast form only while the product is an integer within int64.
bool Quantity::StaysFast(std::int64_t product) const {
  if (form_ != Form::kFast) {
    return false;
  }
  return scale_ >= 0 ? ScaledUp(product, scale_).has_value() : ScaledDown(product, -scale_).exact;
}

bool Quantity::Mul(std::int64_t factor) {
  DropText();
  if (form_ == Form::kFast && (payload_.value == 0 || factor == 0)) {
    scale_ = payload_.value == 0 ? scale_ : 0;
    payload_.value = 0;
    return true;
  }
  std::int64_t product = 0;
  if (IsSmall() && !__builtin_mul_overflow(payload_.value, factor, &product)) {
    const bool fast = StaysFast(product);
    payload_.value = product;
    form_ = fast ? Form::kFast : Form::kDecimal;
    return fast || ScaledUp(product, zeros_).has_value();
  }
  Decimal number = AsDecimal();
  number.unscaled *= factor;
  const bool exact = number.unscaled.fits_slong_p() != 0;
  *this = FromDecimal(std::move(number), format_);
  return exact;
}

void Quantity::MulExactly(const Quantity& factor) {
  Decimal number = AsDecimal();
  const Decimal other = factor.AsDecimal();
  number.unscaled *= other.unscaled;
  number.scale += other.scale;
  *this = FromDecimal(std::move(number), format_);
}

// Lifts a value in place from scale_ to `scale`; the decimal form takes over `scale` in any case.
bool Quantity::RoundUpInPlace(std::int32_t scale) {
  if (scale_ >= scale) {
    zeros_ = static_cast<std::uint16_t>(IsDecimal() ? scale_ - scale : 0);
    return true;
  }
  const Shortened rounded = ScaledDown(payload_.value, scale - scale_);
  Place(form_, rounded.value, scale, 0);
  return rounded.exact;
}

bool Quantity::RoundUp(std::int32_t scale) {
  CheckScale(scale);
  if (!IsDecimal() && scale_ >= scale) {
    return true;
  }
  DropText();
  if (IsSmall() && scale_ - scale <= kMaxZeros) {
    return RoundUpInPlace(scale);
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
    const auto value = form_ == Form::kWide
                           ? std::nullopt
                           : ScaledInPlace(SmallValue(), zeros_, zeros_ - scale_ + scale);
    return value ? *value : ScaledDecimal(AsDecimal(), -scale);
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
