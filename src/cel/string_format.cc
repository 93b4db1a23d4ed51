// "...".format([...]) as the strings extension had it in version 2: grouped fixed-point numbers, a
// multiplication sign and raised digits in scientific ones, whose precision is taken for a width.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/cost_range.h"
#include "cel/declarations.h"
#include "cel/eval_error.h"
#include "cel/format_clause.h"
#include "cel/functions.h"
#include "cel/go_text.h"
#include "cel/timestamp.h"
#include "cel/unicode.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;
using Text = Result<std::string>;

constexpr std::int64_t kDefaultPrecision = 6;
constexpr std::int64_t kMaxPrecision = 1'000'000;

tl::unexpected<Error> Refuse(std::string message) {
  return Fail(ErrorKind::kInvalid, std::move(message));
}

// Texts beyond this are refused: upstream would build them until memory runs out.
constexpr std::size_t kLongest = std::size_t{4} << 20;

tl::unexpected<Error> TooLong() { return Fail(ErrorKind::kTooLarge, "the text is too long"); }

Status CheckSize(const std::string& text) {
  return text.size() > kLongest ? Status(TooLong()) : Status();
}

Text FormatString(const Value& value);

Text DecimalText(const Value& value) {
  if (value.kind() == Kind::kInt || value.kind() == Kind::kUint) {
    return GoText(value);
  }
  return Refuse(fmt::format("decimal clause can only be used on integers, was given {}",
                            RuntimeTypeName(value)));
}

// A value inside a list or map, before quoting.
Text MemberText(const Value& value) {
  switch (value.kind()) {
    case Kind::kInt:
    case Kind::kUint:
      return DecimalText(value);
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kBool:
    case Kind::kNull:
    case Kind::kType:
    case Kind::kList:
    case Kind::kMap:
      return FormatString(value);
    case Kind::kTimestamp:
      return "timestamp(" + GoQuote(TimestampText(value.as_timestamp())) + ")";
    case Kind::kDuration:
      return "duration(" + GoQuote(DurationText(value.as_int())) + ")";
    case Kind::kDouble:
      return GoFloat(value.as_double(), 'f', static_cast<int>(kDefaultPrecision));
    default:
      return Refuse(fmt::format("no formatting function for {}", RuntimeTypeName(value)));
  }
}

std::string Quoted(const Value& value, const std::string& text) {
  switch (value.kind()) {
    case Kind::kString:
      return GoQuote(text);
    case Kind::kBytes:
      return "b" + GoQuote(text);
    case Kind::kDouble:
      return std::isfinite(value.as_double()) ? text : GoQuote(text);
    default:
      return text;
  }
}

Text QuotedMember(const Value& value) {
  QUADRA_TRY(const std::string text, MemberText(value));
  return Quoted(value, text);
}

Text ListText(const ListObject& list) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size(); ++i) {
    QUADRA_TRY(const std::string member, QuotedMember(list.At(i)));
    text += (i == 0 ? "" : ", ") + member;
    QUADRA_RETURN_IF_ERROR(CheckSize(text));
  }
  return text + "]";
}

Text KeyText(const Value& key) {
  switch (key.kind()) {
    case Kind::kString:
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kUint:
      return QuotedMember(key);
    default:
      return Refuse(
          fmt::format("no formatting function for map key of type {}", RuntimeTypeName(key)));
  }
}

Text MapText(const MapObject& map) {
  std::vector<std::pair<std::string, std::string>> pairs;
  std::size_t total = 0;
  for (std::size_t i = 0; i < map.size(); ++i) {
    QUADRA_TRY(const std::string key, KeyText(map.KeyAt(i)));
    QUADRA_TRY(const std::string value, QuotedMember(map.ValueAt(i)));
    total += key.size() + value.size();
    if (total > kLongest) {
      return TooLong();
    }
    pairs.emplace_back(key, value);
  }
  std::ranges::sort(pairs, {}, &std::pair<std::string, std::string>::first);
  std::string text = "{";
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    text += fmt::format("{}{}:{}", i == 0 ? "" : ", ", pairs[i].first, pairs[i].second);
  }
  return text + "}";
}

Text FormatString(const Value& value) {
  switch (value.kind()) {
    case Kind::kList:
      return ListText(value.as_list());
    case Kind::kMap:
      return MapText(value.as_map());
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDouble:
    case Kind::kBool:
    case Kind::kString:
      return GoText(value);
    case Kind::kBytes:
      if (!IsValidUtf8(value.as_text())) {
        return Refuse(fmt::format("could not convert argument {} to string",
                                  GoQuote(errors::kInvalidUtf8.text)));
      }
      return std::string(value.as_text());
    case Kind::kTimestamp:
      return TimestampText(value.as_timestamp());
    case Kind::kDuration:
      return DurationText(value.as_int());
    case Kind::kType:
      return std::string(value.as_type()->name);
    case Kind::kNull:
      return "null";
    default:
      return Refuse(
          fmt::format("string clause can only be used on strings, bools, bytes, ints, doubles, "
                      "maps, lists, types, durations, and timestamps, was given {}",
                      RuntimeTypeName(value)));
  }
}

// Doubles, and the three texts that stand for doubles without digits.
Result<double> FloatOperand(const Value& value, std::string_view clause) {
  if (value.kind() == Kind::kDouble) {
    return value.as_double();
  }
  const std::string_view text = value.kind() == Kind::kString ? value.as_text() : "";
  if (text == "NaN") {
    return std::nan("");
  }
  if (text == "Infinity" || text == "-Infinity") {
    return text.front() == '-' ? -HUGE_VAL : HUGE_VAL;
  }
  return Refuse(fmt::format("{} clause can only be used on doubles, was given {}", clause,
                            RuntimeTypeName(value)));
}

// Non-finite numbers as the locale prints them.
std::string WithoutDigits(double value) {
  if (std::isnan(value)) {
    return "NaN";
  }
  return value < 0 ? "-\xE2\x88\x9E" : "\xE2\x88\x9E";
}

std::string Grouped(std::string digits) {
  const std::size_t start = digits.front() == '-' ? 1 : 0;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t at = point; at > start + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

Text FixedText(const Value& value, std::optional<std::int64_t> precision) {
  QUADRA_TRY(const double number, FloatOperand(value, "fixed-point"));
  if (!std::isfinite(number)) {
    return WithoutDigits(number);
  }
  const auto places =
      static_cast<int>(std::min(precision.value_or(kDefaultPrecision), kMaxPrecision));
  const double unsigned_zero = std::fpclassify(number) == FP_ZERO ? 0.0 : number;
  return Grouped(GoFloat(unsigned_zero, 'f', places));
}

std::string Raised(int exponent) {
  constexpr std::array<std::string_view, 10> kDigits = {
      "\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",     "\xC2\xB3",     "\xE2\x81\xB4",
      "\xE2\x81\xB5", "\xE2\x81\xB6", "\xE2\x81\xB7", "\xE2\x81\xB8", "\xE2\x81\xB9"};
  std::string text = exponent < 0 ? "\xE2\x81\xBB" : "";
  for (const char c : fmt::format("{:02}", exponent < 0 ? -exponent : exponent)) {
    text += kDigits[static_cast<std::size_t>(c - '0')];
  }
  return text;
}

std::string ScientificDigits(double number) {
  const double unsigned_zero = std::fpclassify(number) == FP_ZERO ? 0.0 : number;
  const std::string text = fmt::format("{:.6e}", unsigned_zero);
  const std::size_t e = text.find('e');
  int exponent = 0;
  const char* first = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(first, text.data() + text.size(), exponent);
  return text.substr(0, e) + "\xC3\x97" + "10" + Raised(exponent);
}

Text ScientificText(const Value& value, std::optional<std::int64_t> precision) {
  QUADRA_TRY(const double number, FloatOperand(value, "scientific"));
  const std::string text = std::isfinite(number) ? ScientificDigits(number) : WithoutDigits(number);
  const auto width =
      static_cast<std::size_t>(std::min(precision.value_or(kDefaultPrecision), kMaxPrecision));
  const std::size_t size = RuneCount(text);
  return std::string(width > size ? width - size : 0, ' ') + text;
}

// In the given base, a minus in front.
Text IntegerText(const Value& value, std::string_view spec) {
  if (value.kind() == Kind::kUint) {
    return fmt::format(fmt::runtime(spec), value.as_uint());
  }
  return fmt::format(fmt::runtime(spec), value.as_int());
}

bool IsInteger(const Value& value) {
  return value.kind() == Kind::kInt || value.kind() == Kind::kUint;
}

Text BinaryText(const Value& value) {
  if (value.kind() == Kind::kBool) {
    return std::string(value.as_bool() ? "1" : "0");
  }
  return IsInteger(value) ? IntegerText(value, "{:b}")
                          : Text(Refuse(fmt::format(
                                "only integers and bools can be formatted as binary, was given {}",
                                RuntimeTypeName(value))));
}

Text OctalText(const Value& value) {
  return IsInteger(value)
             ? IntegerText(value, "{:o}")
             : Text(Refuse(fmt::format("octal clause can only be used on integers, was given {}",
                                       RuntimeTypeName(value))));
}

Text HexText(const Value& value, bool upper) {
  if (value.kind() == Kind::kString || value.kind() == Kind::kBytes) {
    std::string text;
    for (const char c : value.as_text()) {
      const auto byte = static_cast<unsigned char>(c);
      text += upper ? fmt::format("{:02X}", byte) : fmt::format("{:02x}", byte);
    }
    return text;
  }
  return IsInteger(value)
             ? IntegerText(value, upper ? "{:X}" : "{:x}")
             : Text(Refuse(fmt::format("only integers, byte buffers, and strings can be formatted "
                                       "as hex, was given {}",
                                       RuntimeTypeName(value))));
}

Text Apply(const FormatClause& clause, const Value& value) {
  switch (clause.verb) {
    case 's':
      return FormatString(value);
    case 'd':
      return DecimalText(value);
    case 'f':
      return FixedText(value, clause.precision);
    case 'e':
      return ScientificText(value, clause.precision);
    case 'b':
      return BinaryText(value);
    case 'o':
      return OctalText(value);
    default:
      return HexText(value, clause.verb == 'X');
  }
}

// One clause with its argument; `rest` starts after the '%'.
Text ApplyNext(std::string_view& rest, const ListObject& arguments, std::size_t index) {
  if (index >= arguments.size()) {
    return Refuse(fmt::format("index {} out of range", index));
  }
  if (rest.empty()) {
    return Refuse("unexpected end of string");
  }
  const Result<FormatClause> clause = TakeFormatClause(rest);
  if (!clause) {
    return Refuse("could not parse formatting clause: " + clause.error().message);
  }
  Text text = Apply(*clause, arguments.At(index));
  if (!text && text.error().kind == ErrorKind::kTooLarge) {
    return text;
  }
  return text ? text : Text(Refuse("error during formatting: " + text.error().message));
}

Text FormatAll(std::string_view format, const ListObject& arguments) {
  std::string out;
  std::size_t index = 0;
  while (!format.empty()) {
    if (format.front() != '%') {
      const std::size_t size = std::min(format.find('%'), format.size());
      out += format.substr(0, size);
      format.remove_prefix(size);
      continue;
    }
    format.remove_prefix(1);
    if (format.starts_with('%')) {
      out.push_back('%');
      format.remove_prefix(1);
      continue;
    }
    QUADRA_TRY(const std::string text, ApplyNext(format, arguments, index++));
    out += text;
    QUADRA_RETURN_IF_ERROR(CheckSize(out));
  }
  return out;
}

Value Format(CallContext& context, Arguments arguments) {
  const Text text = FormatAll(arguments[0].as_text(), arguments[1].as_list());
  if (!text && text.error().kind == ErrorKind::kTooLarge) {
    return Value::Of(&errors::kCostLimit);
  }
  return text ? Value::String(context.arena.Copy(*text))
              : TextError(context.arena, text.error().message);
}

CallEstimate FormatEstimate(const CallSite& site) {
  return {.cost = site.TargetSize() * kTraversal};
}

constexpr Row kRows[] = {
    {"format",
     "string_format",
     kMember,
     "string, list(dyn)",
     "string",
     {Format, cost::ReceiverText, FormatEstimate, kVariadic}},
};

}  // namespace

void DeclareStringFormat(Environment& environment) { Declare(environment, kRows); }

}  // namespace quadra::cel
