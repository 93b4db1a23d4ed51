#include "quantity/decimal.h"

#include <algorithm>

namespace quadra::quantity {
namespace {

// `number`'s digits at `scale`. REQUIRES: scale >= number.scale.
mpz_class DigitsAt(const Decimal& number, std::int32_t scale) {
  if (scale == number.scale) {
    return number.unscaled;
  }
  return number.unscaled * PowerOfTen(scale - number.scale);
}

}  // namespace

mpz_class PowerOfTen(std::int32_t exponent) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(exponent));
  return power;
}

int Compare(const Decimal& a, const Decimal& b) {
  const int sign_a = sgn(a.unscaled);
  const int sign_b = sgn(b.unscaled);
  if (sign_a != sign_b || sign_a == 0) {
    return (sign_a > sign_b) - (sign_a < sign_b);
  }
  const std::int32_t scale = std::max(a.scale, b.scale);
  const int order = cmp(DigitsAt(a, scale), DigitsAt(b, scale));
  return (order > 0) - (order < 0);
}

Decimal Sum(const Decimal& a, const Decimal& b) {
  const std::int32_t scale = std::max(a.scale, b.scale);
  return {DigitsAt(a, scale) + DigitsAt(b, scale), scale};
}

Decimal Difference(const Decimal& a, const Decimal& b) { return Sum(a, {-b.unscaled, b.scale}); }

Decimal RoundedUp(const Decimal& number, std::int32_t scale) {
  if (scale >= number.scale) {
    return {DigitsAt(number, scale), scale};
  }
  const mpz_class divisor = PowerOfTen(number.scale - scale);
  mpz_class quotient, rest;
  mpz_tdiv_qr(quotient.get_mpz_t(), rest.get_mpz_t(), number.unscaled.get_mpz_t(),
              divisor.get_mpz_t());
  return {quotient + sgn(rest), scale};
}

std::int64_t Wrapped(const mpz_class& number) {
  const std::uint64_t magnitude = mpz_get_ui(number.get_mpz_t());
  return static_cast<std::int64_t>(sgn(number) < 0 ? 0 - magnitude : magnitude);
}

std::int32_t RemoveFactors(mpz_class& number, unsigned long base) {
  const mpz_class factor(base);
  return static_cast<std::int32_t>(
      mpz_remove(number.get_mpz_t(), number.get_mpz_t(), factor.get_mpz_t()));
}

}  // namespace quadra::quantity
