// Decimal: unscaled * 10^-scale with an unbounded unscaled; upstream's gopkg.in/inf.v0 for the
// operations quantities need.
//
// Internal to quantity: the header pulls in GMP. Results have the scales upstream's have, because
// they show in Value().
#pragma once

#include <cstdint>
#include <string>

#include <gmpxx.h>

namespace quadra::quantity {

struct Decimal {
  mpz_class unscaled;
  std::int32_t scale = 0;
};

mpz_class PowerOfTen(std::int32_t exponent);

// All exact; sum and difference have the larger scale of both.
int Compare(const Decimal& a, const Decimal& b);
Decimal Sum(const Decimal& a, const Decimal& b);
Decimal Difference(const Decimal& a, const Decimal& b);

// At exactly `scale`, away from zero where digits are lost.
Decimal RoundedUp(const Decimal& number, std::int32_t scale);

// The low 64 bits, as Go's big.Int.Int64.
std::int64_t Wrapped(const mpz_class& number);

// Takes all factors of `base` out of a non-zero `number` and returns how many there were.
std::int32_t RemoveFactors(mpz_class& number, unsigned long base);

}  // namespace quadra::quantity
