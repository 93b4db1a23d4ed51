// Kubernetes quantities: quantity(), isQuantity(), comparison, arithmetic, conversion.
#include <algorithm>
#include <array>

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

constexpr std::array kBindings = {
    Binding{"string_to_quantity", Parse, kFoldable},
    Binding{"is_quantity_string", IsQuantity, kFoldable},
    Binding{"quantity_sign", Sign},
    Binding{"quantity_is_greater_than", IsGreater},
    Binding{"quantity_is_less_than", IsLess},
    Binding{"quantity_compare_to", CompareTo},
    Binding{"quantity_get_float", AsDouble},
    Binding{"quantity_get_int", AsInteger},
    Binding{"quantity_is_integer", IsInteger},
    Binding{"quantity_add", Add},
    Binding{"quantity_add_int", Add},
    Binding{"quantity_sub", Subtract},
    Binding{"quantity_sub_int", Subtract},
};

}  // namespace

std::span<const Binding> QuantityBindings() { return kBindings; }

}  // namespace quadra::cel
