// Kubernetes' list functions: isSorted, sum, min, max, indexOf, lastIndexOf, includes.
#include <array>
#include <string>

#include <fmt/format.h>

#include "cel/equality.h"
#include "cel/eval_error.h"
#include "cel/functions.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;

Value IsSorted(CallContext&, Arguments arguments) {
  const ListObject& list = arguments[0].as_list();
  Value previous;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value next = list.At(i);
    if (!IsOrdered(next)) {
      return MaybeNoSuchOverload(next);
    }
    if (!previous.is_absent()) {
      const Value order = Compare(previous, next);
      if (!order.is_error() && order.as_int() == 1) {
        return Value::Bool(false);
      }
    }
    previous = next;
  }
  return Value::Bool(true);
}

Implementation Adder() {
  for (const Binding& binding : OperatorBindings()) {
    if (binding.id == "_+_") {
      return binding.implementation;
    }
  }
  return nullptr;
}

bool IsAddable(const Value& value) {
  switch (value.kind()) {
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDouble:
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kTimestamp:
    case Kind::kDuration:
    case Kind::kList:
      return true;
    default:
      return false;
  }
}

Value SumFrom(CallContext& context, const ListObject& list, Value sum) {
  const Implementation add = Adder();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value next = list.At(i);
    if (!IsAddable(next)) {
      return MaybeNoSuchOverload(next);
    }
    const std::array<Value, 2> operands = {sum, next};
    sum = add(context, operands);
    if (sum.is_error()) {
      return sum;
    }
  }
  return sum;
}

Value SumInts(CallContext& context, Arguments arguments) {
  return SumFrom(context, arguments[0].as_list(), Value::Int(0));
}
Value SumUints(CallContext& context, Arguments arguments) {
  return SumFrom(context, arguments[0].as_list(), Value::Uint(0));
}
Value SumDoubles(CallContext& context, Arguments arguments) {
  return SumFrom(context, arguments[0].as_list(), Value::Double(0));
}
Value SumDurations(CallContext& context, Arguments arguments) {
  return SumFrom(context, arguments[0].as_list(), Value::Duration(0));
}

// `replace`: the order of best and next that makes next the best.
Value Extreme(CallContext& context, const ListObject& list, int replace) {
  Value best;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value next = list.At(i);
    if (!IsOrdered(next)) {
      return MaybeNoSuchOverload(next);
    }
    if (best.is_absent()) {
      best = next;
      continue;
    }
    const Value order = Compare(best, next);
    if (!order.is_error() && order.as_int() == replace) {
      best = next;
    }
  }
  if (best.is_absent()) {
    return TextError(context.arena, fmt::format("{} called on empty list", context.function));
  }
  return best;
}

Value Min(CallContext& context, Arguments arguments) {
  return Extreme(context, arguments[0].as_list(), 1);
}
Value Max(CallContext& context, Arguments arguments) {
  return Extreme(context, arguments[0].as_list(), -1);
}

Value IndexOf(CallContext&, Arguments arguments) {
  const ListObject& list = arguments[0].as_list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (EqualUnlessNull(list.At(i), arguments[1]) == Equality::kYes) {
      return Value::Int(static_cast<std::int64_t>(i));
    }
  }
  return Value::Int(-1);
}

Value LastIndexOf(CallContext&, Arguments arguments) {
  const ListObject& list = arguments[0].as_list();
  for (std::size_t i = list.size(); i > 0; --i) {
    if (EqualUnlessNull(list.At(i - 1), arguments[1]) == Equality::kYes) {
      return Value::Int(static_cast<std::int64_t>(i - 1));
    }
  }
  return Value::Int(-1);
}

// A scalar includes what equals it.
Value Includes(CallContext& context, Arguments arguments) {
  if (arguments[0].kind() == Kind::kList) {
    return Value::Bool(IndexOf(context, arguments).as_int() >= 0);
  }
  return Value::Bool(EqualUnlessNull(arguments[0], arguments[1]) == Equality::kYes);
}

constexpr std::array kBindings = {
    Binding{"list_int_is_sorted_bool", IsSorted},
    Binding{"list_uint_is_sorted_bool", IsSorted},
    Binding{"list_double_is_sorted_bool", IsSorted},
    Binding{"list_bool_is_sorted_bool", IsSorted},
    Binding{"list_duration_is_sorted_bool", IsSorted},
    Binding{"list_timestamp_is_sorted_bool", IsSorted},
    Binding{"list_string_is_sorted_bool", IsSorted},
    Binding{"list_bytes_is_sorted_bool", IsSorted},
    Binding{"list_int_sum_int", SumInts},
    Binding{"list_uint_sum_uint", SumUints},
    Binding{"list_double_sum_double", SumDoubles},
    Binding{"list_duration_sum_duration", SumDurations},
    Binding{"list_int_max_int", Max},
    Binding{"list_uint_max_uint", Max},
    Binding{"list_double_max_double", Max},
    Binding{"list_bool_max_bool", Max},
    Binding{"list_duration_max_duration", Max},
    Binding{"list_timestamp_max_timestamp", Max},
    Binding{"list_string_max_string", Max},
    Binding{"list_bytes_max_bytes", Max},
    Binding{"list_int_min_int", Min},
    Binding{"list_uint_min_uint", Min},
    Binding{"list_double_min_double", Min},
    Binding{"list_bool_min_bool", Min},
    Binding{"list_duration_min_duration", Min},
    Binding{"list_timestamp_min_timestamp", Min},
    Binding{"list_string_min_string", Min},
    Binding{"list_bytes_min_bytes", Min},
    Binding{"list_a_index_of_int", IndexOf},
    Binding{"list_a_last_index_of_int", LastIndexOf},
    Binding{"list_includes_dyn_dyn", Includes},
};

}  // namespace

std::span<const Binding> KubernetesListBindings() { return kBindings; }

}  // namespace quadra::cel
