// Arithmetic: one implementation for all overloads of an operator.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/containers.h"
#include "cel/cost_range.h"
#include "cel/declarations.h"
#include "cel/eval_error.h"
#include "cel/functions.h"
#include "cel/timestamp.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;

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

}  // namespace

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
      return UnsupportedOperator(context, left);
  }
}

namespace {

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
      return UnsupportedOperator(context, left);
  }
}

bool IsNumber(const Value& value) {
  return value.kind() == Kind::kInt || value.kind() == Kind::kUint || value.kind() == Kind::kDouble;
}

Value Multiply(CallContext& context, Arguments arguments) {
  const Value& left = arguments[0];
  const Value& right = arguments[1];
  if (!IsNumber(left)) {
    return UnsupportedOperator(context, left);
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
    return UnsupportedOperator(context, left);
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
    return UnsupportedOperator(context, left);
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
      return UnsupportedOperator(context, value);
  }
}

// ceil(.1 (n + m)).
Charge BothTextsCost(Arguments arguments, const Value& /*result*/) {
  return {TextCost(MeteredSize(arguments[0]) + MeteredSize(arguments[1]))};
}

// The sum holds what both sides hold.
CallEstimate SumEstimate(CostRange cost, CostRange size) {
  return {.cost = cost, .result_size = size, .contents = {{.first = 0, .second = 1}}};
}

CallEstimate AddListsEstimate(const CallSite& site) {
  return SumEstimate(Fixed(1), site.ArgumentSize(0) + site.ArgumentSize(1));
}

CallEstimate ConcatenateEstimate(const CallSite& site) {
  const CostRange size = site.ArgumentSize(0) + site.ArgumentSize(1);
  return SumEstimate(size * kTraversal, size);
}

constexpr Row kRows[] = {
    {"-_",
     "negate_double",
     kGlobal,
     "double",
     "double",
     {Negate, cost::One, estimate::One, kByName}},
    {"-_", "negate_int64", kGlobal, "int", "int", {Negate, cost::One, estimate::One, kByName}},
    {"_%_",
     "modulo_int64",
     kGlobal,
     "int, int",
     "int",
     {Modulo, cost::One, estimate::One, kByName}},
    {"_%_",
     "modulo_uint64",
     kGlobal,
     "uint, uint",
     "uint",
     {Modulo, cost::One, estimate::One, kByName}},
    {"_*_",
     "multiply_double",
     kGlobal,
     "double, double",
     "double",
     {Multiply, cost::One, estimate::One, kByName}},
    {"_*_",
     "multiply_int64",
     kGlobal,
     "int, int",
     "int",
     {Multiply, cost::One, estimate::One, kByName}},
    {"_*_",
     "multiply_uint64",
     kGlobal,
     "uint, uint",
     "uint",
     {Multiply, cost::One, estimate::One, kByName}},
    {"_+_",
     "add_bytes",
     kGlobal,
     "bytes, bytes",
     "bytes",
     {Add, BothTextsCost, ConcatenateEstimate, kByName}},
    {"_+_",
     "add_double",
     kGlobal,
     "double, double",
     "double",
     {Add, cost::One, estimate::One, kByName}},
    {"_+_",
     "add_duration_duration",
     kGlobal,
     "duration, duration",
     "duration",
     {Add, cost::One, estimate::One, kByName}},
    {"_+_",
     "add_duration_timestamp",
     kGlobal,
     "duration, timestamp",
     "timestamp",
     {Add, cost::One, estimate::One, kByName}},
    {"_+_",
     "add_timestamp_duration",
     kGlobal,
     "timestamp, duration",
     "timestamp",
     {Add, cost::One, estimate::One, kByName}},
    {"_+_", "add_int64", kGlobal, "int, int", "int", {Add, cost::One, estimate::One, kByName}},
    {"_+_",
     "add_list",
     kGlobal,
     "list(A), list(A)",
     "list(A)",
     {Add, cost::One, AddListsEstimate, kByName}},
    {"_+_",
     "add_string",
     kGlobal,
     "string, string",
     "string",
     {Add, BothTextsCost, ConcatenateEstimate, kByName}},
    {"_+_", "add_uint64", kGlobal, "uint, uint", "uint", {Add, cost::One, estimate::One, kByName}},
    {"_-_",
     "subtract_double",
     kGlobal,
     "double, double",
     "double",
     {Subtract, cost::One, estimate::One, kByName}},
    {"_-_",
     "subtract_duration_duration",
     kGlobal,
     "duration, duration",
     "duration",
     {Subtract, cost::One, estimate::One, kByName}},
    {"_-_",
     "subtract_int64",
     kGlobal,
     "int, int",
     "int",
     {Subtract, cost::One, estimate::One, kByName}},
    {"_-_",
     "subtract_timestamp_duration",
     kGlobal,
     "timestamp, duration",
     "timestamp",
     {Subtract, cost::One, estimate::One, kByName}},
    {"_-_",
     "subtract_timestamp_timestamp",
     kGlobal,
     "timestamp, timestamp",
     "duration",
     {Subtract, cost::One, estimate::One, kByName}},
    {"_-_",
     "subtract_uint64",
     kGlobal,
     "uint, uint",
     "uint",
     {Subtract, cost::One, estimate::One, kByName}},
    {"_/_",
     "divide_double",
     kGlobal,
     "double, double",
     "double",
     {Divide, cost::One, estimate::One, kByName}},
    {"_/_",
     "divide_int64",
     kGlobal,
     "int, int",
     "int",
     {Divide, cost::One, estimate::One, kByName}},
    {"_/_",
     "divide_uint64",
     kGlobal,
     "uint, uint",
     "uint",
     {Divide, cost::One, estimate::One, kByName}},
};

}  // namespace

void DeclareArithmetic(Environment& environment) { Declare(environment, kRows); }

}  // namespace quadra::cel
