// Kubernetes quantities: quantity(), isQuantity(), comparison, arithmetic, conversion.
#include <algorithm>
#include <array>

#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/declarations.h"
#include "cel/eval_error.h"
#include "cel/functions.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;
using quantity::Quantity;

Value Parse(CallContext& context, Arguments arguments) {
  Result<Quantity> parsed = Quantity::Parse(arguments[0].as_text());
  if (!parsed) {
    return TextError(context.arena, parsed.error().message);
  }
  return Value::Of(static_cast<const Quantity*>(context.arena.Make<Quantity>(*std::move(parsed))));
}

Value IsQuantity(CallContext&, Arguments arguments) {
  return Value::Bool(Quantity::Parse(arguments[0].as_text()).has_value());
}

bool BecameDecimal(const CallContext& context, const Quantity& quantity) {
  return context.decimals != nullptr &&
         std::ranges::find(*context.decimals, &quantity) != context.decimals->end();
}

// As it stands now: an earlier comparison may have changed its form.
Quantity Current(const CallContext& context, const Quantity& quantity) {
  Quantity copy = quantity;
  if (BecameDecimal(context, quantity)) {
    copy.ToDecimal();
  }
  return copy;
}

int Compare(CallContext& context, Arguments arguments) {
  const Quantity& receiver = arguments[0].as_quantity();
  const Quantity& other = arguments[1].as_quantity();
  const bool other_is_decimal = other.IsDecimal() || BecameDecimal(context, other);
  if (!receiver.IsDecimal() && other_is_decimal && context.decimals != nullptr &&
      !BecameDecimal(context, receiver)) {
    context.decimals->push_back(&receiver);
  }
  return receiver.Cmp(other);
}

Value CompareTo(CallContext& context, Arguments arguments) {
  return Value::Int(Compare(context, arguments));
}

Value IsGreater(CallContext& context, Arguments arguments) {
  return Value::Bool(Compare(context, arguments) > 0);
}

Value IsLess(CallContext& context, Arguments arguments) {
  return Value::Bool(Compare(context, arguments) < 0);
}

Value Sign(CallContext&, Arguments arguments) {
  return Value::Int(arguments[0].as_quantity().Sign());
}

Value AsDouble(CallContext& context, Arguments arguments) {
  return Value::Double(Current(context, arguments[0].as_quantity()).AsApproximateDouble());
}

Value AsInteger(CallContext& context, Arguments arguments) {
  const std::optional<std::int64_t> value = Current(context, arguments[0].as_quantity()).AsInt64();
  return value ? Value::Int(*value) : TextError(context.arena, "cannot convert value to integer");
}

Value IsInteger(CallContext& context, Arguments arguments) {
  return Value::Bool(Current(context, arguments[0].as_quantity()).AsInt64().has_value());
}

Value Computed(CallContext& context, Quantity quantity) {
  return Value::Of(static_cast<const Quantity*>(context.arena.Make<Quantity>(std::move(quantity))),
                   /*computed=*/true);
}

// The operand as a quantity: an integer counts as one with a decimal exponent.
Quantity Operand(const CallContext& context, const Value& value) {
  return value.kind() == Kind::kInt
             ? Quantity::Of(value.as_int(), quantity::Format::kDecimalExponent)
             : Current(context, value.as_quantity());
}

Value Add(CallContext& context, Arguments arguments) {
  Quantity sum = Current(context, arguments[0].as_quantity());
  sum.Add(Operand(context, arguments[1]));
  return Computed(context, std::move(sum));
}

Value Subtract(CallContext& context, Arguments arguments) {
  Quantity difference = Current(context, arguments[0].as_quantity());
  difference.Sub(Operand(context, arguments[1]));
  return Computed(context, std::move(difference));
}

constexpr Row kRows[] = {
    {"add",
     "quantity_add",
     kMember,
     "kubernetes.Quantity, kubernetes.Quantity",
     "kubernetes.Quantity",
     {Add, cost::One, estimate::One}},
    {"add",
     "quantity_add_int",
     kMember,
     "kubernetes.Quantity, int",
     "kubernetes.Quantity",
     {Add, cost::One, estimate::One}},
    {"asApproximateFloat",
     "quantity_get_float",
     kMember,
     "kubernetes.Quantity",
     "double",
     {AsDouble, cost::One, estimate::One}},
    {"asInteger",
     "quantity_get_int",
     kMember,
     "kubernetes.Quantity",
     "int",
     {AsInteger, cost::One, estimate::One}},
    {"compareTo",
     "quantity_compare_to",
     kMember,
     "kubernetes.Quantity, kubernetes.Quantity",
     "int",
     {CompareTo, cost::One, estimate::One}},
    {"isGreaterThan",
     "quantity_is_greater_than",
     kMember,
     "kubernetes.Quantity, kubernetes.Quantity",
     "bool",
     {IsGreater, cost::One, estimate::One}},
    {"isInteger",
     "quantity_is_integer",
     kMember,
     "kubernetes.Quantity",
     "bool",
     {IsInteger, cost::One, estimate::One}},
    {"isLessThan",
     "quantity_is_less_than",
     kMember,
     "kubernetes.Quantity, kubernetes.Quantity",
     "bool",
     {IsLess, cost::One, estimate::One}},
    {"isQuantity",
     "is_quantity_string",
     kGlobal,
     "string",
     "bool",
     {IsQuantity, cost::ReceiverText, estimate::ReadArgument, kFoldable | kCostByName}},
    {"quantity",
     "string_to_quantity",
     kGlobal,
     "string",
     "kubernetes.Quantity",
     {Parse, cost::ReceiverText, estimate::ReadArgument, kFoldable | kCostByName}},
    {"sign",
     "quantity_sign",
     kGlobal,
     "kubernetes.Quantity",
     "int",
     {Sign, cost::One, estimate::One}},
    {"sub",
     "quantity_sub",
     kMember,
     "kubernetes.Quantity, kubernetes.Quantity",
     "kubernetes.Quantity",
     {Subtract, cost::One, estimate::One}},
    {"sub",
     "quantity_sub_int",
     kMember,
     "kubernetes.Quantity, int",
     "kubernetes.Quantity",
     {Subtract, cost::One, estimate::One}},
};

}  // namespace

void DeclareQuantity(Environment& environment) { Declare(environment, kRows); }

}  // namespace quadra::cel
