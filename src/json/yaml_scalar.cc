#include "json/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "json/float_text.h"
#include "json/lexical.h"
#include "json/timestamp.h"

namespace quadra::json {
namespace {

struct Word {
  std::string_view text;
  Scalar meaning;
};

constexpr Scalar kNull{.type = ScalarType::kNull};
constexpr Scalar kTrue{.type = ScalarType::kBool, .boolean = true};
constexpr Scalar kFalse{.type = ScalarType::kBool, .boolean = false};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Scalar FloatScalar(double number) {
  return {.type = ScalarType::kFloat, .number = number};
}
constexpr Scalar IntScalar(std::int64_t number) {
  return {.type = ScalarType::kInt, .integer = number};
}
constexpr Scalar kNan = FloatScalar(std::numeric_limits<double>::quiet_NaN());

constexpr std::array kWords = {
    Word{"y", kTrue},
    Word{"Y", kTrue},
    Word{"yes", kTrue},
    Word{"Yes", kTrue},
    Word{"YES", kTrue},
    Word{"true", kTrue},
    Word{"True", kTrue},
    Word{"TRUE", kTrue},
    Word{"on", kTrue},
    Word{"On", kTrue},
    Word{"ON", kTrue},
    Word{"n", kFalse},
    Word{"N", kFalse},
    Word{"no", kFalse},
    Word{"No", kFalse},
    Word{"NO", kFalse},
    Word{"false", kFalse},
    Word{"False", kFalse},
    Word{"FALSE", kFalse},
    Word{"off", kFalse},
    Word{"Off", kFalse},
    Word{"OFF", kFalse},
    Word{"", kNull},
    Word{"~", kNull},
    Word{"null", kNull},
    Word{"Null", kNull},
    Word{"NULL", kNull},
    Word{".nan", kNan},
    Word{".NaN", kNan},
    Word{".NAN", kNan},
    Word{".inf", FloatScalar(kInfinity)},
    Word{".Inf", FloatScalar(kInfinity)},
    Word{".INF", FloatScalar(kInfinity)},
    Word{"+.inf", FloatScalar(kInfinity)},
    Word{"+.Inf", FloatScalar(kInfinity)},
    Word{"+.INF", FloatScalar(kInfinity)},
    Word{"-.inf", FloatScalar(-kInfinity)},
    Word{"-.Inf", FloatScalar(-kInfinity)},
    Word{"-.INF", FloatScalar(-kInfinity)},
};
constexpr std::size_t kLongestWord = 5;

std::optional<Scalar> FindWord(std::string_view text) {
  const auto* const found =
      text.size() > kLongestWord ? kWords.end() : std::ranges::find(kWords, text, &Word::text);
  return found == kWords.end() ? std::nullopt : std::optional(found->meaning);
}

bool IsSign(char c) { return c == '+' || c == '-'; }

// An integer without sign as Go's strconv reads it: all of `digits` in `base`, within 64 bits.
std::optional<std::uint64_t> ParseDigits(std::string_view digits, int base) {
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(digits.begin(), digits.end(), number, base);
  return error == std::errc() && stop == digits.end() ? std::optional(number) : std::nullopt;
}

// The same with Go's prefixes: 0x, 0o, 0b in either case, and 0 alone for octal.
std::optional<std::uint64_t> ParseUnsigned(std::string_view text) {
  if (text.empty() || text[0] != '0') {
    return ParseDigits(text, 10);
  }
  if (text.size() == 1) {
    return 0;
  }
  const char prefix = text.size() >= 3 ? static_cast<char>(text[1] | 0x20) : '\0';
  const int base = prefix == 'x' ? 16 : prefix == 'o' ? 8 : prefix == 'b' ? 2 : 0;
  return base == 0 ? ParseDigits(text.substr(1), 8) : ParseDigits(text.substr(2), base);
}

// Gives `magnitude` a sign, if that fits int64.
std::optional<std::int64_t> WithSign(std::optional<std::uint64_t> magnitude, bool negative) {
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 63;
  if (!magnitude || *magnitude > kLimit || (*magnitude == kLimit && !negative)) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(negative ? 0 - *magnitude : *magnitude);
}

std::optional<std::int64_t> ParseSigned(std::string_view text) {
  const bool has_sign = !text.empty() && IsSign(text[0]);
  return WithSign(ParseUnsigned(text.substr(has_sign ? 1 : 0)), has_sign && text[0] == '-');
}

std::optional<std::int64_t> ParseSignedBinary(std::string_view text) {
  const bool has_sign = !text.empty() && IsSign(text[0]);
  return WithSign(ParseDigits(text.substr(has_sign ? 1 : 0), 2), has_sign && text[0] == '-');
}

// The nearest double; nothing for numbers too large, as Go reports a range error. REQUIRES: a
// decimal number.
std::optional<double> ToDouble(std::string_view text) {
  if (text[0] == '+') {
    text.remove_prefix(1);
  }
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) {
    number = std::strtod(std::string(text).c_str(), nullptr);  // tells too large from too small
  }
  return std::isinf(number) ? std::nullopt : std::optional(number);
}

std::size_t CountDigits(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789"), text.size());
}

// Whether text is [-+]? (.digits | digits [. digits?]) ([eE] [-+]? digits)?
bool LooksLikeFloat(std::string_view text) {
  const auto pass = [&text](std::size_t count) { text.remove_prefix(count); };
  pass(!text.empty() && IsSign(text[0]) ? 1 : 0);
  const std::size_t whole = CountDigits(text);
  pass(whole);
  std::size_t fraction = 0;
  if (!text.empty() && text[0] == '.') {
    fraction = CountDigits(text.substr(1));
    pass(1 + fraction);
  }
  if (whole + fraction == 0) {
    return false;
  }
  if (text.empty()) {
    return true;
  }
  if (text[0] != 'e' && text[0] != 'E') {
    return false;
  }
  pass(1);
  pass(!text.empty() && IsSign(text[0]) ? 1 : 0);
  return !text.empty() && CountDigits(text) == text.size();
}

std::string WithoutUnderscores(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '_');
  return plain;
}

// A number that begins with a point. Go lets underscores stand between two digits.
Scalar ResolvePointed(std::string_view text) {
  for (std::size_t at = text.find('_'); at != std::string_view::npos; at = text.find('_', at + 1)) {
    if (at + 1 == text.size() || !IsDigit(text[at - 1]) || !IsDigit(text[at + 1])) {
      return {};
    }
  }
  const std::string plain = WithoutUnderscores(text);
  const auto number = LooksLikeFloat(plain) ? ToDouble(plain) : std::nullopt;
  return number ? FloatScalar(*number) : Scalar{};
}

// Upstream's second look at binary numbers, which lets a sign stand after 0b.
std::optional<Scalar> ResolveBinary(std::string_view plain) {
  if (plain.starts_with("0b")) {
    if (const auto number = ParseSignedBinary(plain.substr(2))) {
      return IntScalar(*number);
    }
  }
  return std::nullopt;
}

Scalar ResolveNumber(std::string_view text) {
  const std::string plain = WithoutUnderscores(text);
  if (const auto number = ParseSigned(plain)) {
    return IntScalar(*number);
  }
  if (const auto natural = ParseUnsigned(plain)) {
    return {.type = ScalarType::kUint, .natural = *natural};
  }
  if (LooksLikeFloat(plain)) {
    if (const auto number = ToDouble(plain)) {
      return FloatScalar(*number);
    }
  }
  return ResolveBinary(plain).value_or(Scalar{});
}

Scalar ResolveText(std::string_view text, bool may_be_timestamp) {
  const char first = text.empty() ? '~' : text[0];
  if (std::string_view("+-0123456789yYnNtTfFoO~.").find(first) == std::string_view::npos) {
    return {};
  }
  if (const auto word = FindWord(text)) {
    return *word;
  }
  if (first == '.') {
    return ResolvePointed(text);
  }
  if (!IsSign(first) && !IsDigit(first)) {
    return {};
  }
  if (may_be_timestamp && IsTimestamp(text)) {
    return {.type = ScalarType::kTimestamp};
  }
  return ResolveNumber(text);
}

std::optional<ScalarType> TypeOfTag(std::string_view tag) {
  if (!tag.starts_with(kTagPrefix)) {
    return std::nullopt;
  }
  const std::string_view name = tag.substr(kTagPrefix.size());
  constexpr std::array<std::pair<std::string_view, ScalarType>, 5> kTypes = {{
      {"bool", ScalarType::kBool},
      {"int", ScalarType::kInt},
      {"float", ScalarType::kFloat},
      {"null", ScalarType::kNull},
      {"timestamp", ScalarType::kTimestamp},
  }};
  const auto* const found =
      std::ranges::find(kTypes, name, [](const auto& row) { return row.first; });
  return found == kTypes.end() ? std::nullopt : std::optional(found->second);
}

bool IsBase60(std::string_view text) {
  if (!text.empty() && IsSign(text[0])) {
    text.remove_prefix(1);
  }
  if (text.empty() || !IsDigit(text[0])) {
    return false;
  }
  text.remove_prefix(std::min(text.find_first_not_of("0123456789_"), text.size()));
  bool any = false;
  while (text.size() >= 2 && text[0] == ':' && IsDigit(text[1])) {
    const bool two = text.size() >= 3 && text[1] <= '5' && IsDigit(text[2]);
    text.remove_prefix(two ? 3 : 2);
    any = true;
  }
  if (any && !text.empty() && text[0] == '.') {
    text.remove_prefix(std::min(text.find_first_not_of("0123456789_", 1), text.size()));
  }
  return any && text.empty();
}

template <typename Number>
std::string Format(Number number) {
  if (std::isnan(number)) {
    return ".nan";
  }
  if (std::isinf(number)) {
    return number > 0 ? ".inf" : "-.inf";
  }
  return FloatText(number, kGoG);
}

}  // namespace

std::optional<Scalar> ResolveScalar(std::string_view tag, std::string_view text) {
  if (tag.empty()) {
    return ResolveText(text, true);
  }
  const std::optional<ScalarType> wanted = TypeOfTag(tag);
  if (!wanted) {
    return Scalar{};
  }
  const Scalar found = ResolveText(text, wanted == ScalarType::kTimestamp);
  const bool is_integer = found.type == ScalarType::kInt || found.type == ScalarType::kUint;
  if (found.type == wanted || (wanted == ScalarType::kInt && is_integer)) {
    return found;
  }
  if (wanted == ScalarType::kFloat && found.type == ScalarType::kInt) {
    return FloatScalar(static_cast<double>(found.integer));
  }
  return std::nullopt;
}

bool IsPlainString(std::string_view text) {
  return ResolveText(text, true).type == ScalarType::kString && !IsBase60(text);
}

std::string FormatFloat(float number) { return Format(number); }
std::string FormatFloat(double number) { return Format(number); }

}  // namespace quadra::json
