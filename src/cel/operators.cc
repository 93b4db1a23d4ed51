// Arithmetic, order, containment, size: functions with one implementation for all overloads.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "cel/containers.h"
#include "cel/equality.h"
#include "cel/eval_error.h"
#include "cel/functions.h"
#include "cel/timestamp.h"
#include "cel/unicode.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;

// The left operand knows nothing of the operator. Texts and times are asked as receivers first,
// which words the refusal differently.
Value Unsupported(CallContext& context, const Value& left) {
  switch (left.kind()) {
    case Kind::kString:
    case Kind::kTimestamp:
    case Kind::kDuration:
      return Value::Of(&errors::kNoSuchOverload);
    default:
      return TextError(context.arena, fmt::format("no such overload: {}", context.function));
  }
}

Value IntOr(bool overflow, std::int64_t value) {
  return overflow ? Value::Of(&errors::kIntOverflow) : Value::Int(value);
}

Value UintOr(bool overflow, std::uint64_t value) {
  return overflow ? Value::Of(&errors::kUintOverflow) : Value::Uint(value);
}

Value DurationOr(bool overflow, std::int64_t value) {
  return overflow ? Value::Of(&errors::kIntOverflow) : Value::Duration(value);
}

Value TimestampOr(CallContext& context, const std::optional<Timestamp>& time) {
  return time ? Value::Of(static_cast<const Timestamp*>(context.arena.Make<Timestamp>(*time)))
              : Value::Of(&errors::kTimestampOverflow);
}

Value Concatenate(CallContext& context, const Value& left, const Value& right) {
  const std::size_t size = left.as_text().size() + right.as_text().size();
  if (!context.arena.HasRoom(size)) {
    return Value::Of(&errors::kCostLimit);
  }
  char* text = static_cast<char*>(context.arena.Allocate(size, 1));
  std::ranges::copy(right.as_text(), std::ranges::copy(left.as_text(), text).out);
  const std::string_view joined(text, size);
  return left.kind() == Kind::kString ? Value::String(joined) : Value::Bytes(joined);
}

// Binding a list, adding it to itself and binding the sum doubles it at no cost.
constexpr std::size_t kMaxElements = 4'000'000;

// An accumulator grows in place; an empty side gives the other one.
Value AddLists(CallContext& context, const Value& left, const Value& right) {
  if (left.form() == ListForm::kGrowing) {
    auto& list = const_cast<GrowingList&>(static_cast<const GrowingList&>(left.as_list()));
    const std::size_t count = right.as_list().size();
    for (std::size_t i = 0; i < count; ++i) {
      list.Append(right.as_list().At(i));
    }
    return left;
  }
  if (left.as_list().size() == 0) {
    return right;
  }
  if (right.as_list().size() == 0) {
    return left;
  }
  if (left.as_list().size() + right.as_list().size() > kMaxElements) {
    return Value::Of(&errors::kCostLimit);
  }
  return Value::Of(static_cast<const ListObject*>(context.arena.Make<ConcatList>(left, right)),
                   ListForm::kConcatenated);
}

Value AddToDuration(CallContext& context, std::int64_t left, const Value& right) {
  if (right.kind() == Kind::kDuration) {
    std::int64_t sum = 0;
    const bool overflow = __builtin_add_overflow(left, right.as_int(), &sum);
    return DurationOr(overflow, sum);
  }
  if (right.kind() == Kind::kTimestamp) {
    return TimestampOr(context, AddDuration(right.as_timestamp(), left));
  }
  return MaybeNoSuchOverload(right);
}

Value AddSameKind(CallContext& context, const Value& left, const Value& right) {
  switch (left.kind()) {
    case Kind::kInt: {
      std::int64_t sum = 0;
      const bool overflow = __builtin_add_overflow(left.as_int(), right.as_int(), &sum);
      return IntOr(overflow, sum);
    }
    case Kind::kUint: {
      std::uint64_t sum = 0;
      const bool overflow = __builtin_add_overflow(left.as_uint(), right.as_uint(), &sum);
      return UintOr(overflow, sum);
    }
    case Kind::kDouble:
      return Value::Double(left.as_double() + right.as_double());
    case Kind::kString:
    case Kind::kBytes:
      return Concatenate(context, left, right);
    default:
      return AddLists(context, left, right);
  }
}

Value Add(CallContext& context, Arguments arguments) {
  const Value& left = arguments[0];
  const Value& right = arguments[1];
  switch (left.kind()) {
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDouble:
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kList:
      return left.kind() == right.kind() ? AddSameKind(context, left, right)
                                         : MaybeNoSuchOverload(right);
    case Kind::kDuration:
      return AddToDuration(context, left.as_int(), right);
    case Kind::kTimestamp:
      return right.kind() == Kind::kDuration
                 ? TimestampOr(context, AddDuration(left.as_timestamp(), right.as_int()))
                 : MaybeNoSuchOverload(right);
    default:
      return Unsupported(context, left);
  }
}

Value SubtractFromTimestamp(CallContext& context, const Timestamp& left, const Value& right) {
  if (right.kind() == Kind::kDuration) {
    if (right.as_int() == std::numeric_limits<std::int64_t>::min()) {
      return Value::Of(&errors::kIntOverflow);
    }
    return TimestampOr(context, AddDuration(left, -right.as_int()));
  }
  if (right.kind() == Kind::kTimestamp) {
    const std::optional<std::int64_t> difference = Difference(left, right.as_timestamp());
    return DurationOr(!difference, difference.value_or(0));
  }
  return MaybeNoSuchOverload(right);
}

Value SubtractSameKind(const Value& left, const Value& right) {
  std::int64_t difference = 0;
  switch (left.kind()) {
    case Kind::kInt: {
      const bool overflow = __builtin_sub_overflow(left.as_int(), right.as_int(), &difference);
      return IntOr(overflow, difference);
    }
    case Kind::kUint:
      return UintOr(right.as_uint() > left.as_uint(), left.as_uint() - right.as_uint());
    case Kind::kDouble:
      return Value::Double(left.as_double() - right.as_double());
    default: {
      const bool overflow = __builtin_sub_overflow(left.as_int(), right.as_int(), &difference);
      return DurationOr(overflow, difference);
    }
  }
}

Value Subtract(CallContext& context, Arguments arguments) {
  const Value& left = arguments[0];
  const Value& right = arguments[1];
  switch (left.kind()) {
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDouble:
    case Kind::kDuration:
      return left.kind() == right.kind() ? SubtractSameKind(left, right)
                                         : MaybeNoSuchOverload(right);
    case Kind::kTimestamp:
      return SubtractFromTimestamp(context, left.as_timestamp(), right);
    default:
      return Unsupported(context, left);
  }
}

bool IsNumber(const Value& value) {
  return value.kind() == Kind::kInt || value.kind() == Kind::kUint || value.kind() == Kind::kDouble;
}

Value Multiply(CallContext& context, Arguments arguments) {
  const Value& left = arguments[0];
  const Value& right = arguments[1];
  if (!IsNumber(left)) {
    return Unsupported(context, left);
  }
  if (left.kind() != right.kind()) {
    return MaybeNoSuchOverload(right);
  }
  if (left.kind() == Kind::kDouble) {
    return Value::Double(left.as_double() * right.as_double());
  }
  if (left.kind() == Kind::kUint) {
    std::uint64_t product = 0;
    const bool overflow = __builtin_mul_overflow(left.as_uint(), right.as_uint(), &product);
    return UintOr(overflow, product);
  }
  std::int64_t product = 0;
  const bool overflow = __builtin_mul_overflow(left.as_int(), right.as_int(), &product);
  return IntOr(overflow, product);
}

bool DivisionOverflows(std::int64_t left, std::int64_t right) {
  return left == std::numeric_limits<std::int64_t>::min() && right == -1;
}

Value Divide(CallContext& context, Arguments arguments) {
  const Value& left = arguments[0];
  const Value& right = arguments[1];
  if (!IsNumber(left)) {
    return Unsupported(context, left);
  }
  if (left.kind() != right.kind()) {
    return MaybeNoSuchOverload(right);
  }
  if (left.kind() == Kind::kDouble) {
    return Value::Double(left.as_double() / right.as_double());
  }
  if (right.as_uint() == 0) {
    return Value::Of(&errors::kDivisionByZero);
  }
  if (left.kind() == Kind::kUint) {
    return Value::Uint(left.as_uint() / right.as_uint());
  }
  return DivisionOverflows(left.as_int(), right.as_int())
             ? Value::Of(&errors::kIntOverflow)
             : Value::Int(left.as_int() / right.as_int());
}

Value Modulo(CallContext& context, Arguments arguments) {
  const Value& left = arguments[0];
  const Value& right = arguments[1];
  if (left.kind() != Kind::kInt && left.kind() != Kind::kUint) {
    return Unsupported(context, left);
  }
  if (left.kind() != right.kind()) {
    return MaybeNoSuchOverload(right);
  }
  if (right.as_uint() == 0) {
    return Value::Of(&errors::kModulusByZero);
  }
  if (left.kind() == Kind::kUint) {
    return Value::Uint(left.as_uint() % right.as_uint());
  }
  return DivisionOverflows(left.as_int(), right.as_int())
             ? Value::Of(&errors::kIntOverflow)
             : Value::Int(left.as_int() % right.as_int());
}

Value Negate(CallContext& context, Arguments arguments) {
  const Value& value = arguments[0];
  const bool is_min = value.as_int() == std::numeric_limits<std::int64_t>::min();
  switch (value.kind()) {
    case Kind::kBool:
      return Value::Of(&errors::kNoSuchOverload);
    case Kind::kInt:
      return is_min ? Value::Of(&errors::kIntOverflow) : Value::Int(-value.as_int());
    case Kind::kDouble:
      return Value::Double(-value.as_double());
    case Kind::kDuration:
      return is_min ? Value::Of(&errors::kIntOverflow) : Value::Duration(-value.as_int());
    default:
      return Unsupported(context, value);
  }
}

Value Not(CallContext&, Arguments arguments) {
  return arguments[0].kind() == Kind::kBool ? Value::Bool(!arguments[0].as_bool())
                                            : MaybeNoSuchOverload(arguments[0]);
}

Value NotStrictlyFalse(CallContext&, Arguments arguments) {
  return arguments[0].kind() == Kind::kBool ? arguments[0] : Value::Bool(true);
}

// `wanted` decides from the sign.
template <bool (*wanted)(std::int64_t)>
Value Order(CallContext& context, Arguments arguments) {
  if (!IsOrdered(arguments[0])) {
    return Unsupported(context, arguments[0]);
  }
  const Value order = Compare(arguments[0], arguments[1]);
  return order.is_error() ? order : Value::Bool(wanted(order.as_int()));
}

bool IsLess(std::int64_t order) { return order < 0; }
bool IsLessOrEqual(std::int64_t order) { return order <= 0; }
bool IsGreater(std::int64_t order) { return order > 0; }
bool IsGreaterOrEqual(std::int64_t order) { return order >= 0; }

Value MapContains(CallContext& context, const MapObject& map, const Value& key) {
  const char* unhashable = UnhashableType(key);
  if (unhashable != nullptr && map.size() > 0 && map.HashesKeys()) {
    return FatalError(
        context.arena,
        fmt::format("internal error: runtime error: hash of unhashable type {}", unhashable));
  }
  return Value::Bool(map.Contains(key));
}

Value In(CallContext& context, Arguments arguments) {
  switch (arguments[1].kind()) {
    case Kind::kList:
      return Value::Bool(ListContains(arguments[1].as_list(), arguments[0]));
    case Kind::kMap:
      return MapContains(context, arguments[1].as_map(), arguments[0]);
    default:
      return MaybeNoSuchOverload(arguments[1]);
  }
}

Value Size(CallContext& context, Arguments arguments) {
  const Value& value = arguments[0];
  switch (value.kind()) {
    case Kind::kString:
      return Value::Int(static_cast<std::int64_t>(RuneCount(value.as_text())));
    case Kind::kBytes:
      return Value::Int(static_cast<std::int64_t>(value.as_text().size()));
    case Kind::kList:
      return Value::Int(static_cast<std::int64_t>(value.as_list().size()));
    case Kind::kMap:
      return Value::Int(static_cast<std::int64_t>(value.as_map().size()));
    default:
      return Unsupported(context, value);
  }
}

Value TypeOf(CallContext&, Arguments arguments) { return Value::Of(RuntimeType(arguments[0])); }

Value Same(CallContext&, Arguments arguments) { return arguments[0]; }

template <typename Test>
Value TestTexts(Arguments arguments, Test test) {
  if (arguments[0].kind() != Kind::kString) {
    return MaybeNoSuchOverload(arguments[0]);
  }
  if (arguments[1].kind() != Kind::kString) {
    return MaybeNoSuchOverload(arguments[1]);
  }
  return Value::Bool(test(arguments[0].as_text(), arguments[1].as_text()));
}

Value ContainsText(CallContext&, Arguments arguments) {
  return TestTexts(arguments, [](std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
  });
}

Value StartsWith(CallContext&, Arguments arguments) {
  return TestTexts(arguments, [](std::string_view text, std::string_view part) {
    return text.starts_with(part);
  });
}

Value EndsWith(CallContext&, Arguments arguments) {
  return TestTexts(
      arguments, [](std::string_view text, std::string_view part) { return text.ends_with(part); });
}

constexpr std::array kBindings = {
    Binding{"_+_", Add, kByName},
    Binding{"_-_", Subtract, kByName},
    Binding{"_*_", Multiply, kByName},
    Binding{"_/_", Divide, kByName},
    Binding{"_%_", Modulo, kByName},
    Binding{"-_", Negate, kByName},
    Binding{"!_", Not, kByName},
    Binding{"_<_", Order<IsLess>, kByName},
    Binding{"_<=_", Order<IsLessOrEqual>, kByName},
    Binding{"_>_", Order<IsGreater>, kByName},
    Binding{"_>=_", Order<IsGreaterOrEqual>, kByName},
    Binding{"@in", In, kByName},
    Binding{"size", Size, kByName},
    Binding{"type", TypeOf, kByName},
    Binding{"dyn", Same, kByName},
    Binding{"not_strictly_false", NotStrictlyFalse},
    Binding{"contains_string", ContainsText, kUnguarded},
    Binding{"starts_with_string", StartsWith, kUnguarded},
    Binding{"ends_with_string", EndsWith, kUnguarded},
};

}  // namespace

std::span<const Binding> OperatorBindings() { return kBindings; }

}  // namespace quadra::cel
