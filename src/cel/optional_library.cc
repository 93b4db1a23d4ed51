// Optional values: of, none, value, hasValue, first, last, unwrap. (`or` and `orValue` are lazy:
// the planner knows them.)
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cel/containers.h"
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

constexpr std::array kBindings = {
    Binding{"optional_of", Of},
    Binding{"optional_ofNonZeroValue", OfNonZero},
    Binding{"optional_none", None},
    Binding{"optional_value", ValueOf},
    Binding{"optional_hasValue", HasValue},
    Binding{"list_first", First},
    Binding{"list_last", Last},
    Binding{"optional_unwrap", Unwrap},
    Binding{"optional_unwrapOpt", Unwrap},
};

}  // namespace

std::span<const Binding> OptionalBindings() { return kBindings; }

}  // namespace quadra::cel
