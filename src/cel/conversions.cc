// Conversions between types: int(x), string(x), timestamp(x), ...
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/cost_range.h"
#include "cel/declarations.h"
#include "cel/eval_error.h"
#include "cel/functions.h"
#include "cel/go_text.h"
#include "cel/numbers.h"
#include "cel/timestamp.h"
#include "cel/unicode.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;

Value Same(CallContext&, Arguments arguments) { return arguments[0]; }

Value Impossible(CallContext& context, const Value& value, std::string_view to) {
  return TextError(context.arena, fmt::format("type conversion error from '{}' to '{}'",
                                              RuntimeTypeName(value), to));
}

Value Text(CallContext& context, std::string_view text) {
  return Value::String(context.arena.Copy(text));
}

template <typename T>
std::optional<T> ParseDecimal(std::string_view text) {
  T value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

Value StringToInt(CallContext& context, Arguments arguments) {
  std::string_view text = arguments[0].as_text();
  if (text.starts_with('+') && text.substr(1).find_first_of("+-") != 0) {
    text.remove_prefix(1);
  }
  const std::optional<std::int64_t> value = ParseDecimal<std::int64_t>(text);
  return value ? Value::Int(*value) : Impossible(context, arguments[0], "int");
}

Value StringToUint(CallContext& context, Arguments arguments) {
  const std::optional<std::uint64_t> value = ParseDecimal<std::uint64_t>(arguments[0].as_text());
  return value ? Value::Uint(*value) : Impossible(context, arguments[0], "uint");
}

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::ranges::equal(text, lower, [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

std::optional<double> ParseSpecialDouble(std::string_view text) {
  if (EqualsIgnoringCase(text, "nan")) {
    return std::nan("");
  }
  const bool negative = text.starts_with('-');
  if (text.starts_with('-') || text.starts_with('+')) {
    text.remove_prefix(1);
  }
  if (EqualsIgnoringCase(text, "inf") || EqualsIgnoringCase(text, "infinity")) {
    return negative ? -HUGE_VAL : HUGE_VAL;
  }
  return std::nullopt;
}

std::size_t TakeDigits(std::string_view& text, bool hex) {
  std::size_t size = 0;
  while (size < text.size() && (hex ? std::isxdigit(static_cast<unsigned char>(text[size])) != 0
                                    : text[size] >= '0' && text[size] <= '9')) {
    ++size;
  }
  text.remove_prefix(size);
  return size;
}

// Whether it is a number by Go's grammar: a hexadecimal one needs an exponent.
bool IsNumberText(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) {
    text.remove_prefix(1);
  }
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  text.remove_prefix(hex ? 2 : 0);
  std::size_t digits = TakeDigits(text, hex);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    digits += TakeDigits(text, hex);
  }
  if (digits == 0) {
    return false;
  }
  const bool exponent =
      !text.empty() && (hex ? text[0] == 'p' || text[0] == 'P' : text[0] == 'e' || text[0] == 'E');
  if (!exponent) {
    return text.empty() && !hex;
  }
  text.remove_prefix(1);
  if (text.starts_with('-') || text.starts_with('+')) {
    text.remove_prefix(1);
  }
  return TakeDigits(text, false) > 0 && text.empty();
}

// Go's rule: underscores stand between digits, or after a base prefix.
bool UnderscoresSeparateDigits(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) {
    text.remove_prefix(1);
  }
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  char last = hex ? '0' : '^';
  for (const char c : text.substr(hex ? 2 : 0)) {
    const bool digit =
        hex ? std::isxdigit(static_cast<unsigned char>(c)) != 0 : c >= '0' && c <= '9';
    if (c == '_' ? last != '0' : !digit && last == '_') {
      return false;
    }
    last = c == '_' ? '_' : (digit ? '0' : '!');
  }
  return last != '_';
}

std::optional<double> ParseDouble(std::string_view text) {
  if (const std::optional<double> special = ParseSpecialDouble(text)) {
    return special;
  }
  std::string digits(text);
  if (UnderscoresSeparateDigits(text)) {
    std::erase(digits, '_');
  }
  if (!IsNumberText(digits)) {
    return std::nullopt;
  }
  const double value = std::strtod(digits.c_str(), nullptr);
  return std::isinf(value) ? std::nullopt : std::optional(value);
}

Value StringToDouble(CallContext& context, Arguments arguments) {
  const std::optional<double> value = ParseDouble(arguments[0].as_text());
  return value ? Value::Double(*value) : Impossible(context, arguments[0], "double");
}

Value StringToBool(CallContext& context, Arguments arguments) {
  constexpr std::array<std::string_view, 6> kTrue = {"1", "t", "T", "TRUE", "true", "True"};
  constexpr std::array<std::string_view, 6> kFalse = {"0", "f", "F", "FALSE", "false", "False"};
  const std::string_view text = arguments[0].as_text();
  if (std::ranges::find(kTrue, text) != kTrue.end()) {
    return Value::Bool(true);
  }
  if (std::ranges::find(kFalse, text) != kFalse.end()) {
    return Value::Bool(false);
  }
  return Impossible(context, arguments[0], "bool");
}

Value StringToBytes(CallContext&, Arguments arguments) {
  return Value::Bytes(arguments[0].as_text());
}

Value StringToDuration(CallContext& context, Arguments arguments) {
  const std::optional<std::int64_t> value = ParseDuration(arguments[0].as_text());
  return value ? Value::Duration(*value)
               : Impossible(context, arguments[0], "google.protobuf.Duration");
}

Value MakeTimestamp(CallContext& context, const Timestamp& time) {
  if (time.seconds < kMinUnixTime || time.seconds > kMaxUnixTime) {
    return Value::Of(&errors::kTimestampOverflow);
  }
  return Value::Of(static_cast<const Timestamp*>(context.arena.Make<Timestamp>(time)));
}

Value StringToTimestamp(CallContext& context, Arguments arguments) {
  const std::optional<Timestamp> time = ParseTimestamp(arguments[0].as_text());
  return time ? MakeTimestamp(context, *time)
              : Impossible(context, arguments[0], "google.protobuf.Timestamp");
}

Value IntToTimestamp(CallContext& context, Arguments arguments) {
  return MakeTimestamp(context, {.seconds = arguments[0].as_int()});
}

Value IntToUint(CallContext&, Arguments arguments) {
  return arguments[0].as_int() < 0 ? Value::Of(&errors::kUintOverflow)
                                   : Value::Uint(static_cast<std::uint64_t>(arguments[0].as_int()));
}

Value UintToInt(CallContext&, Arguments arguments) {
  const std::optional<std::int64_t> value = LosslessInt(arguments[0].as_uint());
  return value ? Value::Int(*value) : Value::Of(&errors::kIntOverflow);
}

Value DoubleToInt(CallContext&, Arguments arguments) {
  const std::optional<std::int64_t> value = CheckedInt(arguments[0].as_double());
  return value ? Value::Int(*value) : Value::Of(&errors::kIntOverflow);
}

Value DoubleToUint(CallContext&, Arguments arguments) {
  const std::optional<std::uint64_t> value = CheckedUint(arguments[0].as_double());
  return value ? Value::Uint(*value) : Value::Of(&errors::kUintOverflow);
}

Value IntToDouble(CallContext&, Arguments arguments) {
  return Value::Double(static_cast<double>(arguments[0].as_int()));
}

Value UintToDouble(CallContext&, Arguments arguments) {
  return Value::Double(static_cast<double>(arguments[0].as_uint()));
}

Value DurationToInt(CallContext&, Arguments arguments) { return Value::Int(arguments[0].as_int()); }

Value TimestampToInt(CallContext&, Arguments arguments) {
  return Value::Int(arguments[0].as_timestamp().seconds);
}

// Booleans and numbers print as Go's %v does.
Value PlainToString(CallContext& context, Arguments arguments) {
  return Text(context, GoText(arguments[0]));
}

Value BytesToString(CallContext&, Arguments arguments) {
  return IsValidUtf8(arguments[0].as_text()) ? Value::String(arguments[0].as_text())
                                             : Value::Of(&errors::kInvalidUtf8);
}

Value DurationToString(CallContext& context, Arguments arguments) {
  return Text(context, DurationText(arguments[0].as_int()));
}

Value TimestampToString(CallContext& context, Arguments arguments) {
  return Text(context, TimestampText(arguments[0].as_timestamp()));
}

CallEstimate StringToBytesEstimate(const CallSite& site) {
  const CostRange size = site.ArgumentSize(0);
  return {.cost = size * kTraversal,
          .result_size = CostRange{.min = size.min, .max = size.max * 4}};
}

CallEstimate BytesToStringEstimate(const CallSite& site) {
  const CostRange size = site.ArgumentSize(0);
  return {.cost = size * kTraversal,
          .result_size = CostRange{.min = size.min / 4, .max = size.max}};
}

constexpr Row kRows[] = {
    {"bool", "bool_to_bool", kGlobal, "bool", "bool", {Same, cost::One, estimate::One}},
    {"bool", "string_to_bool", kGlobal, "string", "bool", {StringToBool, cost::One, estimate::One}},
    {"bytes", "bytes_to_bytes", kGlobal, "bytes", "bytes", {Same, cost::One, estimate::One}},
    {"bytes",
     "string_to_bytes",
     kGlobal,
     "string",
     "bytes",
     {StringToBytes, cost::ReceiverText, StringToBytesEstimate}},
    {"double", "double_to_double", kGlobal, "double", "double", {Same, cost::One, estimate::One}},
    {"double",
     "int64_to_double",
     kGlobal,
     "int",
     "double",
     {IntToDouble, cost::One, estimate::One}},
    {"double",
     "string_to_double",
     kGlobal,
     "string",
     "double",
     {StringToDouble, cost::One, estimate::One}},
    {"double",
     "uint64_to_double",
     kGlobal,
     "uint",
     "double",
     {UintToDouble, cost::One, estimate::One}},
    {"duration",
     "duration_to_duration",
     kGlobal,
     "duration",
     "duration",
     {Same, cost::One, estimate::One}},
    {"duration",
     "string_to_duration",
     kGlobal,
     "string",
     "duration",
     {StringToDuration, cost::One, estimate::One}},
    {"int", "int64_to_int64", kGlobal, "int", "int", {Same, cost::One, estimate::One}},
    {"int", "double_to_int64", kGlobal, "double", "int", {DoubleToInt, cost::One, estimate::One}},
    {"int",
     "duration_to_int64",
     kGlobal,
     "duration",
     "int",
     {DurationToInt, cost::One, estimate::One}},
    {"int", "string_to_int64", kGlobal, "string", "int", {StringToInt, cost::One, estimate::One}},
    {"int",
     "timestamp_to_int64",
     kGlobal,
     "timestamp",
     "int",
     {TimestampToInt, cost::One, estimate::One}},
    {"int", "uint64_to_int64", kGlobal, "uint", "int", {UintToInt, cost::One, estimate::One}},
    {"string", "string_to_string", kGlobal, "string", "string", {Same, cost::One, estimate::One}},
    {"string",
     "bool_to_string",
     kGlobal,
     "bool",
     "string",
     {PlainToString, cost::One, estimate::One}},
    {"string",
     "bytes_to_string",
     kGlobal,
     "bytes",
     "string",
     {BytesToString, cost::ReceiverText, BytesToStringEstimate}},
    {"string",
     "double_to_string",
     kGlobal,
     "double",
     "string",
     {PlainToString, cost::One, estimate::One}},
    {"string",
     "duration_to_string",
     kGlobal,
     "duration",
     "string",
     {DurationToString, cost::One, estimate::One}},
    {"string",
     "int64_to_string",
     kGlobal,
     "int",
     "string",
     {PlainToString, cost::One, estimate::One}},
    {"string",
     "timestamp_to_string",
     kGlobal,
     "timestamp",
     "string",
     {TimestampToString, cost::One, estimate::One}},
    {"string",
     "uint64_to_string",
     kGlobal,
     "uint",
     "string",
     {PlainToString, cost::One, estimate::One}},
    {"timestamp",
     "timestamp_to_timestamp",
     kGlobal,
     "timestamp",
     "timestamp",
     {Same, cost::One, estimate::One}},
    {"timestamp",
     "int64_to_timestamp",
     kGlobal,
     "int",
     "timestamp",
     {IntToTimestamp, cost::One, estimate::One}},
    {"timestamp",
     "string_to_timestamp",
     kGlobal,
     "string",
     "timestamp",
     {StringToTimestamp, cost::One, estimate::One}},
    {"uint", "uint64_to_uint64", kGlobal, "uint", "uint", {Same, cost::One, estimate::One}},
    {"uint",
     "double_to_uint64",
     kGlobal,
     "double",
     "uint",
     {DoubleToUint, cost::One, estimate::One}},
    {"uint", "int64_to_uint64", kGlobal, "int", "uint", {IntToUint, cost::One, estimate::One}},
    {"uint",
     "string_to_uint64",
     kGlobal,
     "string",
     "uint",
     {StringToUint, cost::One, estimate::One}},
};

}  // namespace

void DeclareConversions(Environment& environment) { Declare(environment, kRows); }

}  // namespace quadra::cel
