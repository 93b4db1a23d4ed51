// Quantity: Kubernetes' resource quantity ("80Gi", "100m", "12e6"), exact at any size, no floating
// point.
//
// Equal to k8s.io/apimachinery/pkg/api/resource in all that can be seen: which texts parse and with
// which error, rounding (away from zero, at nano), the cap of binary suffixes, the text it prints,
// and the results of arithmetic. Upstream holds a quantity in one of two forms, and the form shows:
// AsInt64, Value and MilliValue answer differently for "1536Mi" (fast form: an int64 times a power
// of ten) and "1.5Gi" (decimal form: unbounded). So the form is part of the value here too.
//
// A plain value of 16 bytes; the heap is used only for numbers that no int64 times a power of ten
// expresses and for unusual spellings ("+1", "1.500") that upstream keeps. Threads: as int. Cost:
// parsing a usual text about 10 ns, comparing two usual quantities about 1 ns, neither allocates.
// Nothing throws.
//
//   QUADRA_TRY(Quantity free, Quantity::Parse("80Gi"));
//   free.Sub(used);
//   if (free.Sign() < 0) ...
//   free.ToString();  // "79Gi"
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace quadra::quantity {

struct Decimal;

// The suffix family a quantity was written with, which it prints with again. Where the value does
// not suit kBinarySi (a fraction, or less than 1024) it prints as kDecimalSi. kUnset is upstream's
// empty format: prints as kDecimalExponent.
enum class Format : std::uint8_t { kUnset, kDecimalExponent, kBinarySi, kDecimalSi };

// A power of ten may not be written larger or smaller than this ("1e100001" is refused): upstream
// accepts any int32 and then computes for minutes. Below it an operation needs at most about 100 KB
// and 5 ms beyond what its operands' own digits cost.
inline constexpr std::int32_t kMaxExponent = 100'000;

class Quantity {
 public:
  // Zero in format kUnset, as Go's zero value.
  Quantity() = default;
  Quantity(const Quantity& other) { CopyFrom(other); }
  Quantity(Quantity&& other) noexcept { TakeFrom(other); }
  Quantity& operator=(const Quantity& other) {
    Quantity copy(other);
    return *this = std::move(copy);
  }
  Quantity& operator=(Quantity&& other) noexcept {
    if (this != &other) {
      Release();
      TakeFrom(other);
    }
    return *this;
  }
  ~Quantity() { Release(); }

  // `value` * 10^`scale` in the fast form. REQUIRES: |scale| <= kMaxExponent.
  static Quantity Of(std::int64_t value, Format format = Format::kDecimalSi,
                     std::int32_t scale = 0);

  // Upstream's ParseQuantity. Its three errors have reason kInvalid and upstream's message; an
  // exponent beyond kMaxExponent is kTooLarge. Time grows with the length of `text` a little faster
  // than linearly (3 MB: about 0.2 s).
  static Result<Quantity> Parse(std::string_view text);
  // The quantity of one JSON value as it stands in the document: a string in its quotes, taken
  // without resolving escapes, a bare number, or null, which is zero. Unlike Parse it trims white
  // space inside the quotes.
  static Result<Quantity> ParseJson(std::string_view value);

  // What upstream's String() returns: the parsed text where upstream keeps it ("+1", "1.500",
  // "1E3") until the next arithmetic, else the canonical text. Above exa a decimal suffix is lost,
  // as upstream loses it ("1000E" prints "1").
  std::string ToString() const;

  // The number written out with all its decimal places and no suffix, as upstream's
  // AsDec().String(): "1.5" gives 1.5, "1500m" gives 1.500, "1k" gives 1000. Equal numbers may
  // differ here.
  std::string AllPlaces() const;

  Format format() const { return format_; }

  // By value alone: 1 == 1000m == 1e0. -1, 0 or 1 as *this is less than, equal to or greater than
  // `other`.
  int Cmp(const Quantity& other) const {
    if (IsSmall() && other.IsSmall() && scale_ == other.scale_) {
      return (payload_.value > other.payload_.value) - (payload_.value < other.payload_.value);
    }
    return CmpUnlike(other);
  }
  int CmpInt64(std::int64_t other) const;
  friend bool operator==(const Quantity& a, const Quantity& b) { return a.Cmp(b) == 0; }
  friend std::weak_ordering operator<=>(const Quantity& a, const Quantity& b) {
    return a.Cmp(b) <=> 0;
  }

  // The same in all that can be seen, not by value alone: 1 does not look like 1000m.
  bool LooksLike(const Quantity& other) const {
    if (IsSmall() && other.IsSmall()) {
      return payload_.value == other.payload_.value && scale_ == other.scale_ &&
             zeros_ == other.zeros_ && form_ == other.form_ && format_ == other.format_;
    }
    return *this == other && IsDecimal() == other.IsDecimal() && ToString() == other.ToString();
  }

  int Sign() const;
  bool IsZero() const { return Sign() == 0; }

  // In place. A zero takes over the format of `other`; the kept text is dropped. Exact: a result
  // that leaves the fast form goes on in the decimal form.
  void Add(const Quantity& other);
  void Sub(const Quantity& other);
  void Neg();
  // False where upstream calls the product inexact (its digits exceed int64). The product is exact
  // all the same.
  bool Mul(std::int64_t factor);
  // The exact product, in this one's format and the decimal form.
  void MulExactly(const Quantity& factor);
  // Rounds away from zero to a multiple of 10^`scale`; false if that changed the value. REQUIRES:
  // |scale| <= kMaxExponent.
  bool RoundUp(std::int32_t scale);

  // The integer, if the quantity is in the fast form, was not written with a negative power of ten
  // ("1000m", "1.0"), and fits. What CEL's isInteger and asInteger see.
  std::optional<std::int64_t> AsInt64() const;
  // The value in units of 10^`scale`, rounded up, with upstream's edges. The fast form rounds
  // negative numbers away from zero, and beyond int64 gives 0 or a wrapped number; the decimal form
  // rounds them towards zero and adds one, and wraps. Where the value is not trusted, compare it
  // first (CmpInt64).
  std::int64_t ScaledValue(std::int32_t scale) const;
  std::int64_t Value() const { return ScaledValue(0); }
  std::int64_t MilliValue() const { return ScaledValue(-3); }
  // Upstream's AsApproximateFloat64, to the bit; for CEL's asApproximateFloat. The only floating
  // point here.
  double AsApproximateDouble() const;

  // Moves to the decimal form, keeping value and text. Upstream does so to the receiver of Cmp
  // whenever the forms of both sides differ; our Cmp does not, and who must follow upstream there
  // calls this.
  void ToDecimal();
  bool IsDecimal() const {
    return form_ == Form::kDecimal || form_ == Form::kWide || form_ == Form::kSpelledDecimal;
  }

 private:
  // kFast and kDecimal hold value * 10^scale_ in place. A decimal's digits, as upstream sees them,
  // are value * 10^zeros_ at upstream's scale zeros_ - scale_. kWide is a decimal on the heap. The
  // two spelled forms keep their text beside value.
  enum class Form : std::uint8_t { kFast, kDecimal, kSpelled, kSpelledDecimal, kWide };
  struct Spelling {
    std::int64_t value;
    std::string text;
  };
  union Payload {
    std::int64_t value;
    Spelling* spelling;
    Decimal* wide;
  };

  static Quantity FromDecimal(Decimal number, Format format);
  static Quantity Spelled(std::int64_t value, std::int32_t scale, Format format,
                          std::string_view text);
  static Result<Quantity> ParseUnusual(std::string_view text);

  bool IsSmall() const { return form_ <= Form::kDecimal; }
  bool IsSpelled() const { return form_ == Form::kSpelled || form_ == Form::kSpelledDecimal; }
  // REQUIRES: not kWide.
  std::int64_t SmallValue() const { return IsSmall() ? payload_.value : payload_.spelling->value; }
  Decimal AsDecimal() const;
  // REQUIRES: small before and after.
  void Place(Form form, std::int64_t value, std::int32_t scale, std::int32_t zeros) {
    form_ = form;
    payload_.value = value;
    scale_ = scale;
    zeros_ = static_cast<std::uint16_t>(zeros);
  }
  std::string CanonicalText() const;
  void DropText();
  void AdoptFormat(const Quantity& other);
  bool AddInPlace(std::int64_t value, const Quantity& other);
  bool RoundUpInPlace(std::int32_t scale);
  bool StaysFast(std::int64_t product) const;
  int CmpUnlike(const Quantity& other) const;

  void CopyFrom(const Quantity& other) {
    CopyBits(other);
    if (!IsSmall()) {
      CloneHeap();
    }
  }
  void TakeFrom(Quantity& other) {
    CopyBits(other);
    other.form_ = Form::kFast;
    other.payload_.value = 0;
  }
  void CopyBits(const Quantity& other) {
    payload_ = other.payload_;
    scale_ = other.scale_;
    zeros_ = other.zeros_;
    form_ = other.form_;
    format_ = other.format_;
  }
  void Release() {
    if (!IsSmall()) {
      FreeHeap();
    }
  }
  void CloneHeap();
  void FreeHeap();

  Payload payload_{.value = 0};
  std::int32_t scale_ = 0;
  std::uint16_t zeros_ = 0;
  Form form_ = Form::kFast;
  Format format_ = Format::kUnset;
};

static_assert(sizeof(Quantity) == 16, "inventories hold millions");

}  // namespace quadra::quantity
