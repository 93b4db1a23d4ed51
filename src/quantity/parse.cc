// Reading quantities: one quick way for plain texts ("80Gi", "-100m"), and upstream's rules, letter
// by letter, for the rest.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "quantity/decimal.h"
#include "quantity/int64_scale.h"
#include "quantity/quantity.h"

namespace quadra::quantity {
namespace {

constexpr std::size_t kMaxFastDigits = 18;
constexpr std::int32_t kNano = -9;
constexpr std::int64_t kMaxInt64 = std::numeric_limits<std::int64_t>::max();

enum class Mistake : std::uint8_t { kShape, kSuffix, kNumber, kExponent };

tl::unexpected<Error> Refuse(Mistake mistake) {
  switch (mistake) {
    case Mistake::kShape:
      return Fail(ErrorKind::kInvalid,
                  "quantities must match the regular expression "
                  "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    case Mistake::kSuffix:
      return Fail(ErrorKind::kInvalid, "unable to parse quantity's suffix");
    case Mistake::kNumber:
      return Fail(ErrorKind::kInvalid, "unable to parse numeric part of quantity");
    case Mistake::kExponent:
      break;
  }
  return Fail(Error{.kind = ErrorKind::kTooLarge,
                    .message = "the exponent of a quantity must lie between -100000 and 100000",
                    .remedy = "write the number with a smaller exponent"});
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::size_t DigitsFrom(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && IsDigit(text[end])) {
    ++end;
  }
  return end - at;
}

// A suffix means 10^exponent, or 2^exponent if binary.
struct Suffix {
  Format format = Format::kDecimalSi;
  std::int32_t exponent = 0;
};

constexpr std::int32_t kNoSuffix = std::numeric_limits<std::int32_t>::min();

// The power of one thousand a letter stands for, in tens: n is -9, E is 18.
std::int32_t LetterExponent(char letter) {
  switch (letter) {
    case 'n':
      return -9;
    case 'u':
      return -6;
    case 'm':
      return -3;
    case 'k':
      return 3;
    case 'M':
      return 6;
    case 'G':
      return 9;
    case 'T':
      return 12;
    case 'P':
      return 15;
    case 'E':
      return 18;
    default:
      return kNoSuffix;
  }
}

std::int32_t BinaryExponent(char letter) {
  return letter == 'K'                ? 10
         : LetterExponent(letter) > 3 ? LetterExponent(letter) / 3 * 10
                                      : kNoSuffix;
}

bool ReadLetters(std::string_view text, Suffix& suffix) {
  if (text.empty()) {
    return true;
  }
  if (text.size() == 1) {
    suffix.exponent = LetterExponent(text[0]);
  } else if (text.size() == 2 && text[1] == 'i') {
    suffix = {Format::kBinarySi, BinaryExponent(text[0])};
  } else {
    return false;
  }
  return suffix.exponent != kNoSuffix;
}

// "e3", "E-6": upstream reads an int64 and keeps its low 32 bits.
bool ReadExponent(std::string_view text, Suffix& suffix) {
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) {
    return false;
  }
  text.remove_prefix(text[1] == '+' ? 2 : 1);
  std::int64_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc() || end != text.data() + text.size()) {
    return false;
  }
  suffix = {Format::kDecimalExponent, static_cast<std::int32_t>(exponent)};
  return true;
}

// How many digits before a binary suffix upstream trusts to its fast form; with Pi and Ei none.
std::int32_t MaxBinaryDigits(std::int32_t exponent) { return 14 - exponent * 3 / 10; }

struct Parts {
  bool negative = false;
  std::string_view number;    // sign, digits, point, digits
  std::string_view whole;     // without leading zeros, "0" if nothing is left
  std::string_view fraction;  // digits behind the point
  std::string_view suffix;
};

// Takes a text apart as upstream's scanner does; no digits at all is zero to it. False if a
// character has no place.
bool Split(std::string_view text, Parts& parts) {
  std::size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  parts.negative = at == 1 && text[0] == '-';
  while (at < text.size() && text[at] == '0') {
    ++at;
  }
  if (at == text.size()) {
    parts.number = parts.whole = "0";
    return true;
  }
  parts.whole = text.substr(at, DigitsFrom(text, at));
  at += parts.whole.size();
  if (parts.whole.empty()) {
    parts.whole = "0";
  }
  if (at < text.size() && text[at] == '.') {
    ++at;
    parts.fraction = text.substr(at, DigitsFrom(text, at));
    at += parts.fraction.size();
  }
  parts.number = text.substr(0, at);
  parts.suffix = text.substr(at);
  at = std::min(text.find_first_not_of("eEinumkKMGTP", at), text.size());
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) {
    ++at;
  }
  return at + DigitsFrom(text, at) == text.size();
}

std::int64_t ToInt64(std::string_view digits, std::int64_t before) {
  for (const char digit : digits) {
    before = before * 10 + (digit - '0');
  }
  return before;
}

// The digits in front of a suffix, as a number that ignores sign and point; none is a mistake here.
Result<mpz_class> ReadDigits(std::string_view number) {
  std::string digits;
  digits.reserve(number.size());
  std::ranges::copy_if(number, std::back_inserter(digits), IsDigit);
  if (digits.empty()) {
    return Refuse(Mistake::kNumber);
  }
  return mpz_class(digits, 10);
}

// Rounds at nano and caps what has a binary suffix. REQUIRES: number >= 0. May change the format.
void Limit(Decimal& number, Format& format) {
  if (sgn(number.unscaled) != 0) {
    number = RoundedUp(number, -kNano);
  }
  if (format != Format::kBinarySi) {
    return;
  }
  if (Compare(number, {mpz_class(kMaxInt64), 0}) > 0) {
    number = {mpz_class(kMaxInt64), 0};
  }
  if (sgn(number.unscaled) > 0 && Compare(number, {mpz_class(1), 0}) < 0) {
    format = Format::kDecimalSi;
  }
}

// The way around the fast form, for numbers too long or too fine for it. May change the suffix's
// format.
Result<Decimal> ReadDecimal(const Parts& parts, Suffix& suffix) {
  QUADRA_TRY(mpz_class digits, ReadDigits(parts.number));
  Decimal number{std::move(digits), static_cast<std::int32_t>(parts.fraction.size())};
  if (suffix.format == Format::kBinarySi) {
    number.unscaled <<= static_cast<unsigned long>(suffix.exponent);
  } else {
    number.scale -= suffix.exponent;
  }
  Limit(number, suffix.format);
  if (parts.negative) {
    number.unscaled = -number.unscaled;
  }
  return number;
}

// A decimal that needs no heap: value * 10^scale, with `zeros` zeros of upstream's digits left out.
struct Compact {
  std::int64_t value;
  std::int32_t scale;
  std::int32_t zeros;
};

// The decimal of a usual binary number ("1.5Gi", "100Ti", "2Pi") in 128 bits; nothing if it is
// zero, less than one or longer.
std::optional<Compact> ReadCompact(const Parts& parts, const Suffix& suffix) {
  if (suffix.format != Format::kBinarySi || parts.fraction.size() > 9 ||
      parts.whole.size() + parts.fraction.size() > kMaxFastDigits) {
    return std::nullopt;
  }
  const std::int64_t digits = ToInt64(parts.fraction, ToInt64(parts.whole, 0));
  const auto shifted = static_cast<unsigned __int128>(digits) << suffix.exponent;
  const auto divisor = static_cast<std::uint64_t>(kPowersOfTen[parts.fraction.size()]);
  const std::int64_t missing = kPowersOfTen[9 - parts.fraction.size()];
  if (shifted < divisor) {
    return std::nullopt;
  }
  if (shifted % divisor == 0) {
    const auto whole = shifted / divisor;
    return whole > kMaxInt64 ? Compact{kMaxInt64, 0, 0}
                             : Compact{static_cast<std::int64_t>(whole), 0, -kNano};
  }
  if (shifted > static_cast<std::uint64_t>(kMaxInt64 / missing)) {
    return std::nullopt;
  }
  return Compact{static_cast<std::int64_t>(shifted) * missing, kNano, 0};
}

// Whether upstream's fast form takes the number, at the given power of ten.
bool SuitsFastForm(const Parts& parts, const Suffix& suffix, std::int64_t scale) {
  if (suffix.format == Format::kBinarySi) {
    return parts.fraction.empty() && std::ssize(parts.whole) <= MaxBinaryDigits(suffix.exponent);
  }
  return parts.whole.size() + parts.fraction.size() <= kMaxFastDigits && scale >= kNano;
}

// Whether upstream takes a text for canonical as it stands, and keeps it.
bool KeepsText(const Parts& parts, const Suffix& suffix, std::int64_t scale, std::int64_t digits) {
  if (suffix.format == Format::kBinarySi) {
    return (digits & 7) != 0;
  }
  return scale % 3 == 0 && parts.whole[0] != '0' && digits % 1000 != 0;
}

constexpr std::string_view kJsonSpace = " \t\r\n";

std::string_view TrimJsonSpace(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kJsonSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kJsonSpace) + 1);
}

// What Go's strings.TrimSpace takes for white space.
constexpr std::array<std::string_view, 25> kUnicodeSpaces = {
    " ",      "\t",     "\n",     "\v",     "\f",     "\r",     "\u0085", "\u00a0", "\u1680",
    "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008",
    "\u2009", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"};

std::string_view TrimUnicodeSpace(std::string_view text) {
  const auto is_visible = [](char c) { return c > ' ' && c <= '~'; };
  if (!text.empty() && is_visible(text.front()) && is_visible(text.back())) {
    return text;
  }
  const auto starts = [&text](std::string_view space) { return text.starts_with(space); };
  const auto ends = [&text](std::string_view space) { return text.ends_with(space); };
  for (auto space = std::ranges::find_if(kUnicodeSpaces, starts); space != kUnicodeSpaces.end();
       space = std::ranges::find_if(kUnicodeSpaces, starts)) {
    text.remove_prefix(space->size());
  }
  for (auto space = std::ranges::find_if(kUnicodeSpaces, ends); space != kUnicodeSpaces.end();
       space = std::ranges::find_if(kUnicodeSpaces, ends)) {
    text.remove_suffix(space->size());
  }
  return text;
}

}  // namespace

// Plain: an optional minus, 1 to 18 digits without leading zeros, at most one suffix of letters.
// These print as they were written or canonically, so no text is kept.
Result<Quantity> Quantity::Parse(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const std::size_t first = at;
  std::int64_t value = 0;
  for (; at < text.size() && at - first < kMaxFastDigits && IsDigit(text[at]); ++at) {
    value = value * 10 + (text[at] - '0');
  }
  Suffix suffix;
  if (at == first || (text[first] == '0' && at - first > 1) ||
      !ReadLetters(text.substr(at), suffix)) {
    return ParseUnusual(text);
  }
  Quantity quantity;
  quantity.format_ = suffix.format;
  if (suffix.format == Format::kBinarySi) {
    if (static_cast<std::int32_t>(at - first) > MaxBinaryDigits(suffix.exponent)) {
      return ParseUnusual(text);
    }
    value <<= suffix.exponent;
  } else {
    quantity.scale_ = suffix.exponent;
  }
  quantity.payload_.value = first == 1 ? -value : value;
  return quantity;
}

Result<Quantity> Quantity::ParseUnusual(std::string_view text) {
  Parts parts;
  if (text.empty() || !Split(text, parts)) {
    return Refuse(Mistake::kShape);
  }
  Suffix suffix;
  if (!ReadLetters(parts.suffix, suffix) && !ReadExponent(parts.suffix, suffix)) {
    return Refuse(Mistake::kSuffix);
  }
  if (suffix.exponent > kMaxExponent || suffix.exponent < -kMaxExponent) {
    return Refuse(Mistake::kExponent);
  }
  const bool binary = suffix.format == Format::kBinarySi;
  const std::int64_t scale =
      (binary ? 0 : suffix.exponent) - static_cast<std::int64_t>(parts.fraction.size());
  if (SuitsFastForm(parts, suffix, scale)) {
    const std::int64_t digits = ToInt64(parts.fraction, ToInt64(parts.whole, 0));
    std::int64_t value = binary ? digits << suffix.exponent : digits;
    value = parts.negative ? -value : value;
    const auto power = static_cast<std::int32_t>(scale);
    return KeepsText(parts, suffix, scale, digits) ? Spelled(value, power, suffix.format, text)
                                                   : Of(value, suffix.format, power);
  }
  if (const auto compact = ReadCompact(parts, suffix)) {
    Quantity quantity = Of(0, suffix.format);
    quantity.Place(Form::kDecimal, parts.negative ? -compact->value : compact->value,
                   compact->scale, compact->zeros);
    return quantity;
  }
  QUADRA_TRY(Decimal number, ReadDecimal(parts, suffix));
  return FromDecimal(std::move(number), suffix.format);
}

Result<Quantity> Quantity::ParseJson(std::string_view value) {
  value = TrimJsonSpace(value);
  if (value == "null") {
    return Quantity();
  }
  if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"')) {
    value = value.substr(1, value.size() - 2);
  }
  return Parse(TrimUnicodeSpace(value));
}

}  // namespace quadra::quantity
