#include "json/jsonpath_values.h"

#include <algorithm>
#include <charconv>
#include <compare>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/go_text.h"

namespace quadra::json::jsonpath {
namespace {

// Numbers without point and exponent that fit are Go's int64, all others float64.
std::optional<std::int64_t> AsInteger(const std::string& spelling) {
  std::int64_t number = 0;
  const char* const end = spelling.data() + spelling.size();
  const auto [stop, problem] = std::from_chars(spelling.data(), end, number);
  return problem == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

double AsDouble(const std::string& spelling) {
  double number = 0;
  std::from_chars(spelling.data(), spelling.data() + spelling.size(), number);
  return number;
}

std::string NumberText(const std::string& spelling) {
  const std::optional<std::int64_t> integer = AsInteger(spelling);
  return integer ? fmt::to_string(*integer) : GoFloat(AsDouble(spelling));
}

enum class Operand : std::uint8_t { kNone, kBool, kInt, kFloat, kString };

Operand OperandOf(const Value& value) {
  switch (value.kind()) {
    case Kind::kBool:
      return Operand::kBool;
    case Kind::kNumber:
      return AsInteger(value.number()) ? Operand::kInt : Operand::kFloat;
    case Kind::kString:
      return Operand::kString;
    case Kind::kNull:
    case Kind::kArray:
    case Kind::kObject:
      return Operand::kNone;
  }
  return Operand::kNone;
}

constexpr std::string_view kBadType = "invalid type for comparison";
constexpr std::string_view kIncompatible = "incompatible types for comparison";

Error Unanswerable(std::string_view message) {
  return {.kind = ErrorKind::kInvalid, .message = std::string(message)};
}

// REQUIRES: two operands of one kind.
std::strong_ordering Order(const Value& a, const Value& b) {
  switch (OperandOf(a)) {
    case Operand::kInt:
      return AsInteger(a.number()).value_or(0) <=> AsInteger(b.number()).value_or(0);
    case Operand::kFloat: {
      const double x = AsDouble(a.number());
      const double y = AsDouble(b.number());
      return x < y   ? std::strong_ordering::less
             : y < x ? std::strong_ordering::greater
                     : std::strong_ordering::equal;
    }
    case Operand::kString:
      return a.string() <=> b.string();
    case Operand::kBool:
      return a.boolean() <=> b.boolean();
    case Operand::kNone:
      return std::strong_ordering::equal;
  }
  return std::strong_ordering::equal;
}

template <typename Range, typename Text>
std::string Joined(const Range& range, const Text& text) {
  std::string out;
  for (const auto& part : range) {
    out += text(part) + " ";
  }
  return out.substr(0, out.empty() ? 0 : out.size() - 1);
}

}  // namespace

Value Sorted(const Value& value) {
  if (value.kind() == Kind::kArray) {
    Value::Array items;
    std::ranges::transform(value.items(), std::back_inserter(items), Sorted);
    return Value(std::move(items));
  }
  if (value.kind() != Kind::kObject) {
    return value;
  }
  std::map<std::string_view, Value> by_key;
  for (const Value::Member& member : value.members()) {
    by_key[member.key] = Sorted(member.value);
  }
  Value::Object members;
  for (auto& [key, sorted] : by_key) {
    members.push_back({std::string(key), std::move(sorted)});
  }
  return Value(std::move(members));
}

std::string GoText(const Value& value) {
  switch (value.kind()) {
    case Kind::kNull:
      return "<nil>";
    case Kind::kBool:
      return value.boolean() ? "true" : "false";
    case Kind::kNumber:
      return NumberText(value.number());
    case Kind::kString:
      return value.string();
    case Kind::kArray:
      return "[" + Joined(value.items(), GoText) + "]";
    case Kind::kObject:
      return "map[" +
             Joined(value.members(),
                    [](const Value::Member& member) {
                      return member.key + ":" + GoText(member.value);
                    }) +
             "]";
  }
  return "";
}

std::string_view GoType(const Value& value) {
  switch (value.kind()) {
    case Kind::kNull:
      return "<nil>";
    case Kind::kBool:
      return "bool";
    case Kind::kNumber:
      return AsInteger(value.number()) ? "int64" : "float64";
    case Kind::kString:
      return "string";
    case Kind::kArray:
      return "[]interface {}";
    case Kind::kObject:
      return "map[string]interface {}";
  }
  return "";
}

void WriteJson(const Value& value, Writer& writer) {
  switch (value.kind()) {
    case Kind::kArray:
      writer.BeginArray();
      for (const Value& item : value.items()) {
        WriteJson(item, writer);
      }
      writer.EndArray();
      return;
    case Kind::kObject:
      writer.BeginObject();
      for (const Value::Member& member : value.members()) {
        writer.Key(member.key);
        WriteJson(member.value, writer);
      }
      writer.EndObject();
      return;
    case Kind::kNumber:
      if (const std::optional<std::int64_t> integer = AsInteger(value.number())) {
        writer.Int(*integer);
      } else {
        writer.Double(AsDouble(value.number()));
      }
      return;
    case Kind::kNull:
    case Kind::kBool:
    case Kind::kString:
      WriteValue(value, writer);
      return;
  }
}

Result<bool> Compare(const Value& a, std::string_view operation, const Value& b) {
  const bool equality = operation == "==" || operation == "!=";
  if (!equality && operation != "<" && operation != "<=" && operation != ">" && operation != ">=") {
    return Fail(Unanswerable(fmt::format("unrecognized filter operator {}", operation)));
  }
  const Operand kind = OperandOf(a);
  if (kind == Operand::kNone || OperandOf(b) == Operand::kNone) {
    return Fail(Unanswerable(kBadType));
  }
  if (kind != OperandOf(b)) {
    return Fail(Unanswerable(kIncompatible));
  }
  if (!equality && kind == Operand::kBool) {
    return Fail(Unanswerable(kBadType));
  }
  const std::strong_ordering order = Order(a, b);
  if (equality) {
    return (order == 0) == (operation == "==");
  }
  const bool strict_side = operation.front() == '<' ? order < 0 : order > 0;
  return strict_side || (operation.size() == 2 && order == 0);
}

}  // namespace quadra::json::jsonpath
