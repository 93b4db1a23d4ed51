#include "patch/fit.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "patch/go_values.h"

namespace quadra::patch {
namespace {

using api::TypeKind;
using json::Kind;
using json::Value;

constexpr int kMaxDepth = 1000;  // as when an object is decoded

std::string_view GoKindOf(const Value& value) {
  switch (value.kind()) {
    case Kind::kArray:
      return "slice";
    case Kind::kObject:
      return "map";
    default:
      return GoTypeName(value);
  }
}

// Go's conversion of one number type to another: without a word, unless a fraction would be lost.
std::string FitInteger(Value& value, bool narrow) {
  const std::string_view wanted = narrow ? "int32" : "int64";
  if (value.kind() != Kind::kNumber) {
    return fmt::format("unrecognized type: {}", wanted);
  }
  std::int64_t integer = 0;
  if (GoTypeName(value) == "float64") {
    const double number = std::strtod(value.number().c_str(), nullptr);
    if (number != std::trunc(number)) {
      return fmt::format("cannot convert float64 to {}", wanted);
    }
    constexpr double kLimit = 9223372036854775808.0;  // beyond it Go's result varies by processor
    integer = number >= -kLimit && number < kLimit ? static_cast<std::int64_t>(number) : INT64_MIN;
  } else {
    const std::string& text = value.number();
    std::from_chars(text.data(), text.data() + text.size(), integer);
  }
  value = Value::Int(narrow ? static_cast<std::int32_t>(integer) : integer);
  return "";
}

std::string FitScalar(const Value& value, Kind wanted, std::string_view name) {
  if (value.kind() == wanted) {
    return "";
  }
  if (wanted == Kind::kString && GoTypeName(value) == "int64") {
    return "cannot convert int64 to string";
  }
  return fmt::format("unrecognized type: {}", name);
}

class Fitting {
 public:
  std::string Fit(Value& value, const api::Type& type);
  std::string FitStruct(Value& value, const api::Struct& type);

 private:
  std::string FitList(Value& value, const api::Type& element);
  std::string FitMap(Value& value, const api::Type& element);

  int depth_ = 0;
};

std::string Fitting::Fit(Value& value, const api::Type& type) {
  if (value.is_null()) {
    return "";
  }
  switch (type.kind) {
    case TypeKind::kString:
      return FitScalar(value, Kind::kString, "string");
    case TypeKind::kBool:
      return FitScalar(value, Kind::kBool, "bool");
    case TypeKind::kDouble:
      return FitScalar(value, Kind::kNumber, "float64");
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      return FitInteger(value, type.kind == TypeKind::kInt32);
    case TypeKind::kList:
      return FitList(value, *type.element);
    case TypeKind::kMap:
      return FitMap(value, *type.element);
    case TypeKind::kStruct:
      return FitStruct(value, *type.fields);
    default:
      return "";
  }
}

std::string Fitting::FitList(Value& value, const api::Type& element) {
  if (value.kind() != Kind::kArray) {
    return fmt::format("cannot restore slice from {}", GoKindOf(value));
  }
  for (Value& item : value.items()) {
    if (std::string misfit = Fit(item, element); !misfit.empty()) {
      return misfit;
    }
  }
  return "";
}

std::string Fitting::FitMap(Value& value, const api::Type& element) {
  if (value.kind() != Kind::kObject) {
    return fmt::format("cannot restore map from {}", GoKindOf(value));
  }
  for (Value::Member& member : value.members()) {
    if (std::string misfit = Fit(member.value, element); !misfit.empty()) {
      return misfit;
    }
  }
  return "";
}

std::string Fitting::FitStruct(Value& value, const api::Struct& type) {
  if (value.kind() != Kind::kObject) {
    return fmt::format("cannot restore struct from: {}", GoKindOf(value));
  }
  if (depth_ == kMaxDepth) {
    return fmt::format("nested deeper than {} levels", kMaxDepth);
  }
  ++depth_;
  std::string misfit;
  for (auto field = type.fields.begin(); misfit.empty() && field != type.fields.end(); ++field) {
    if (Value* member = value.Find(field->json)) {
      misfit = Fit(*member, *field->type);
    }
  }
  --depth_;
  return misfit;
}

}  // namespace

std::string FitToSchema(Value& merged, const api::Struct& type) {
  return Fitting().FitStruct(merged, type);
}

}  // namespace quadra::patch
