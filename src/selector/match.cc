#include "selector/match.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace quadra::selector {
namespace {

using cel::Kind;
using cel::Value;

// How upstream names the type of a value, how Go names what is behind it, and the words of its
// refusal to become a bool.
struct Spelling {
  Kind kind;
  std::string_view cel_name;
  std::string_view go_name;
  std::string_view to_bool;
};

constexpr Spelling kSpellings[] = {
    {Kind::kNull, "null_type", "structpb.NullValue",
     "type conversion error from 'null_type' to 'bool'"},
    {Kind::kBool, "bool", "bool", ""},
    {Kind::kInt, "int", "int64", "unsupported type conversion from 'int' to bool"},
    {Kind::kUint, "uint", "uint64", "unsupported type conversion from 'uint' to bool"},
    {Kind::kDouble, "double", "float64", "type conversion error from Double to 'bool'"},
    {Kind::kString, "string", "string", "unsupported native conversion from string to 'bool'"},
    {Kind::kBytes, "bytes", "[]uint8", "type conversion error from Bytes to 'bool'"},
    {Kind::kTimestamp, "google.protobuf.Timestamp", "time.Time",
     "type conversion error from 'Timestamp' to 'bool'"},
    {Kind::kDuration, "google.protobuf.Duration", "time.Duration",
     "type conversion error from 'Duration' to 'bool'"},
    {Kind::kType, "type", "string", "type conversion not supported for 'type'"},
    {Kind::kList, "list", "[]interface {}", "type conversion error from list to 'bool'"},
    {Kind::kMap, "map", "map[ref.Val]ref.Val", "type conversion error from map to 'bool'"},
    {Kind::kOptional, "optional_type", "<nil>", "optional.none() dereference"},
    {Kind::kQuantity, "kubernetes.Quantity", "*resource.Quantity",
     "type conversion error from 'Quantity' to 'bool'"},
    {Kind::kSemver, "kubernetes.Semver", "semver.Version",
     "type conversion error from 'Semver' to 'bool'"},
    {Kind::kIp, "net.IP", "netip.Addr", "type conversion error from 'IP' to 'bool'"},
    {Kind::kCidr, "net.CIDR", "netip.Prefix", "type conversion error from 'CIDR' to 'bool'"},
    {Kind::kUrl, "kubernetes.URL", "*url.URL", "type conversion error from 'URL' to 'bool'"},
    {Kind::kFormat, "kubernetes.NamedFormat", "*cel.Format",
     "type conversion error from 'Format' to 'bool'"},
};

const Spelling& SpellingOf(Kind kind) {
  return *std::ranges::find(kSpellings, kind, &Spelling::kind);
}

// An optional with a value converts as that value does.
Value Unwrapped(Value value) {
  while (value.kind() == Kind::kOptional && value.as_optional() != nullptr) {
    value = *value.as_optional();
  }
  return value;
}

Verdict VerdictOf(const Value& result) {
  const Value value = Unwrapped(result);
  if (value.kind() != Kind::kBool) {
    return Verdict::kError;
  }
  return value.as_bool() ? Verdict::kMatch : Verdict::kNo;
}

std::string ErrorOf(const Value& result) {
  if (result.is_error()) {
    return cel::ErrorText(result.as_error());
  }
  return fmt::format("CEL result of type {} could not be converted to bool: {}",
                     SpellingOf(result.kind()).cel_name,
                     SpellingOf(Unwrapped(result).kind()).to_bool);
}

// --- Derived attributes.

// What upstream sees of a value: the name of a type, the value in an optional.
Value Seen(const Value& value) {
  const Value inner = Unwrapped(value);
  return inner.kind() == Kind::kType ? Value::String(inner.as_type()->name) : inner;
}

template <typename T, typename Get>
Status FillList(const cel::ListObject& list, Kind kind, std::string_view name, api::List<T>& into,
                const Get& get) {
  into.MakePresent();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value item = Seen(list.At(i));
    if (item.kind() != kind) {
      return Fail(ErrorKind::kInvalid,
                  fmt::format("expected list element at index {} to be {}, got {}", i, name,
                              SpellingOf(item.kind()).go_name));
    }
    into.push_back(get(item));
  }
  return {};
}

Status FillAttribute(const cel::ListObject& list, api::DeviceAttribute& attribute) {
  if (list.size() == 0) {
    attribute.string_values.MakePresent();
    return {};
  }
  const Kind kind = Seen(list.At(0)).kind();
  switch (kind) {
    case Kind::kBool:
      return FillList(list, kind, "bool", attribute.bool_values,
                      [](const Value& item) { return item.as_bool(); });
    case Kind::kInt:
      return FillList(list, kind, "int", attribute.int_values,
                      [](const Value& item) { return item.as_int(); });
    case Kind::kString:
      return FillList(list, kind, "string", attribute.string_values,
                      [](const Value& item) { return std::string(item.as_text()); });
    case Kind::kSemver:
      return FillList(list, kind, "semver", attribute.version_values,
                      [](const Value& item) { return item.as_semver().ToString(); });
    default:
      return Fail(ErrorKind::kInvalid,
                  fmt::format("unsupported list element type: {}", SpellingOf(kind).go_name));
  }
}

// Of an optional only scalars are looked through.
Result<api::DeviceAttribute> ToAttribute(const Value& result) {
  const Value inner = Seen(result);
  const Value& value = inner.kind() == Kind::kList ? result : inner;
  api::DeviceAttribute attribute;
  switch (value.kind()) {
    case Kind::kError:
      return Fail(ErrorKind::kInvalid, cel::ErrorText(value.as_error()));
    case Kind::kBool:
      attribute.bool_value = value.as_bool();
      return attribute;
    case Kind::kInt:
      attribute.int_value = value.as_int();
      return attribute;
    case Kind::kString:
      attribute.string_value = std::string(value.as_text());
      return attribute;
    case Kind::kSemver:
      attribute.version_value = value.as_semver().ToString();
      return attribute;
    case Kind::kList:
      QUADRA_RETURN_IF_ERROR(FillAttribute(value.as_list(), attribute));
      return attribute;
    default:
      return Fail(ErrorKind::kInvalid,
                  fmt::format("unsupported CEL return type: {}", SpellingOf(value.kind()).go_name));
  }
}

}  // namespace

Verdict Decide(const Expression& expression, const cel::Inputs& device, cel::Scratch& scratch) {
  return VerdictOf(expression.program().Evaluate(device, scratch).value);
}

Explanation Explain(const Expression& expression, const std::string& poison,
                    const cel::Inputs& device, cel::Scratch& scratch) {
  if (!poison.empty()) {
    return {.verdict = Verdict::kError, .error = poison, .cost = std::nullopt};
  }
  const cel::Evaluation evaluation = expression.program().Evaluate(device, scratch);
  const Verdict verdict = VerdictOf(evaluation.value);
  return {.verdict = verdict,
          .error = verdict == Verdict::kError ? ErrorOf(evaluation.value) : "",
          .cost = evaluation.cost};
}

Derivation Derive(const Expression& expression, const std::string& poison,
                  const cel::Inputs& device, cel::Scratch& scratch) {
  if (!poison.empty()) {
    return {.value = Fail(ErrorKind::kInvalid, poison), .cost = std::nullopt};
  }
  const cel::Evaluation evaluation = expression.program().Evaluate(device, scratch);
  return {.value = ToAttribute(evaluation.value), .cost = evaluation.cost};
}

std::string WithAdvice(std::string error) {
  constexpr std::string_view kAdvice =
      ". consider using CEL optional chaining (.? followed by orValue()) or guarding the check "
      "with has() for optional fields";
  if (error.find("no such key:") != std::string::npos && !error.ends_with(kAdvice)) {
    error += kAdvice;
  }
  return error;
}

}  // namespace quadra::selector
