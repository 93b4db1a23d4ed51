// Optional values: of, none, value, hasValue, first, last, unwrap. (`or` and `orValue` are lazy:
// the planner knows them.)
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/containers.h"
#include "cel/declarations.h"
#include "cel/eval_error.h"
#include "cel/functions.h"
#include "cel/go_text.h"
#include "cel/timestamp.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;

Value OptionalOf(CallContext& context, const Value& value) {
  return Value::Optional(context.arena.Make<Value>(value));
}

Value Of(CallContext& context, Arguments arguments) { return OptionalOf(context, arguments[0]); }

Value None(CallContext&, Arguments) { return Value::Optional(nullptr); }

bool IsZero(const Value& value) {
  switch (value.kind()) {
    case Kind::kNull:
      return true;
    case Kind::kBool:
      return !value.as_bool();
    case Kind::kInt:
    case Kind::kDuration:
      return value.as_int() == 0;
    case Kind::kUint:
      return value.as_uint() == 0;
    case Kind::kDouble:
      return std::fpclassify(value.as_double()) == FP_ZERO;
    case Kind::kString:
    case Kind::kBytes:
      return value.as_text().empty();
    case Kind::kTimestamp:
      return value.as_timestamp().seconds == kMinUnixTime && value.as_timestamp().nanoseconds == 0;
    case Kind::kList:
      return value.as_list().size() == 0;
    case Kind::kMap:
      return value.as_map().IsZero();
    default:
      return false;
  }
}

Value OfNonZero(CallContext& context, Arguments arguments) {
  return IsZero(arguments[0]) ? Value::Optional(nullptr) : OptionalOf(context, arguments[0]);
}

Value ValueOf(CallContext&, Arguments arguments) {
  const Value* value = arguments[0].as_optional();
  return value == nullptr ? Value::Of(&errors::kNoneDereference) : *value;
}

Value HasValue(CallContext&, Arguments arguments) {
  return Value::Bool(arguments[0].as_optional() != nullptr);
}

Value First(CallContext& context, Arguments arguments) {
  const ListObject& list = arguments[0].as_list();
  return list.size() == 0 ? Value::Optional(nullptr) : OptionalOf(context, list.At(0));
}

Value Last(CallContext& context, Arguments arguments) {
  const ListObject& list = arguments[0].as_list();
  return list.size() == 0 ? Value::Optional(nullptr)
                          : OptionalOf(context, list.At(list.size() - 1));
}

Value Unwrap(CallContext& context, Arguments arguments) {
  const ListObject& list = arguments[0].as_list();
  std::vector<Value> values;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value element = list.At(i);
    if (element.kind() != Kind::kOptional) {
      return TextError(context.arena, "value " + GoText(element) + " is not optional");
    }
    if (element.as_optional() != nullptr) {
      values.push_back(*element.as_optional());
    }
  }
  Value* copy = context.arena.MakeArray<Value>(values.size());
  std::ranges::copy(values, copy);
  return MakeList(context.arena, {copy, values.size()});
}

constexpr Row kRows[] = {
    {"_?._",
     "select_optional_field",
     kGlobal,
     "dyn, string",
     "optional_type(V)",
     {kUnbound, cost::One, estimate::One}},
    {"_[?_]",
     "list_optindex_optional_int",
     kGlobal,
     "list(V), int",
     "optional_type(V)",
     {kUnbound, cost::One, estimate::One}},
    {"_[?_]",
     "optional_list_optindex_optional_int",
     kGlobal,
     "optional_type(list(V)), int",
     "optional_type(V)",
     {kUnbound, cost::One, estimate::One}},
    {"_[?_]",
     "map_optindex_optional_value",
     kGlobal,
     "map(K, V), K",
     "optional_type(V)",
     {kUnbound, cost::One, estimate::One}},
    {"_[?_]",
     "optional_map_optindex_optional_value",
     kGlobal,
     "optional_type(map(K, V)), K",
     "optional_type(V)",
     {kUnbound, cost::One, estimate::One}},
    {"_[_]",
     "optional_list_index_int",
     kGlobal,
     "optional_type(list(V)), int",
     "optional_type(V)",
     {kUnbound, cost::One, estimate::One}},
    {"_[_]",
     "optional_map_index_value",
     kGlobal,
     "optional_type(map(K, V)), K",
     "optional_type(V)",
     {kUnbound, cost::One, estimate::One}},
    {"first",
     "list_first",
     kMember,
     "list(V)",
     "optional_type(V)",
     {First, cost::One, estimate::One}},
    {"hasValue",
     "optional_hasValue",
     kMember,
     "optional_type(V)",
     "bool",
     {HasValue, cost::One, estimate::One}},
    {"last", "list_last", kMember, "list(V)", "optional_type(V)", {Last, cost::One, estimate::One}},
    {"optional.none",
     "optional_none",
     kGlobal,
     "",
     "optional_type(V)",
     {None, cost::One, estimate::One}},
    {"optional.of",
     "optional_of",
     kGlobal,
     "V",
     "optional_type(V)",
     {Of, cost::One, estimate::One}},
    {"optional.ofNonZeroValue",
     "optional_ofNonZeroValue",
     kGlobal,
     "V",
     "optional_type(V)",
     {OfNonZero, cost::One, estimate::One}},
    {"optional.unwrap",
     "optional_unwrap",
     kGlobal,
     "list(optional_type(V))",
     "list(V)",
     {Unwrap, cost::One, estimate::One}},
    {"or",
     "optional_or_optional",
     kMember,
     "optional_type(V), optional_type(V)",
     "optional_type(V)",
     {kUnbound, cost::One, estimate::One}},
    {"orValue",
     "optional_orValue_value",
     kMember,
     "optional_type(V), V",
     "V",
     {kUnbound, cost::One, estimate::One}},
    {"unwrapOpt",
     "optional_unwrapOpt",
     kMember,
     "list(optional_type(V))",
     "list(V)",
     {Unwrap, cost::One, estimate::One}},
    {"value",
     "optional_value",
     kMember,
     "optional_type(V)",
     "V",
     {ValueOf, cost::One, estimate::One}},
};

}  // namespace

void DeclareOptionals(Environment& environment) {
  Declare(environment, kRows);
  environment.type_names.push_back({"optional_type", environment.types.Optional(types::kDyn)});
}

}  // namespace quadra::cel
