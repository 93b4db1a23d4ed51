// Kubernetes' list functions: isSorted, sum, min, max, indexOf, lastIndexOf, includes.
#include <array>
#include <string>

#include <fmt/format.h>

#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/cost_range.h"
#include "cel/declarations.h"
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
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value next = list.At(i);
    if (!IsAddable(next)) {
      return MaybeNoSuchOverload(next);
    }
    const std::array<Value, 2> operands = {sum, next};
    sum = Add(context, operands);
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

// Each element of what is no list is worth a comparison.
CallEstimate IncludesEstimate(const CallSite& site) {
  return ElementOf(*site.target) ? estimate::Traverse(site)
                                 : CallEstimate{.cost = site.TargetSize() * Fixed(1)};
}

// What holds for lists of each type.
constexpr Behaviour kIsSorted = {IsSorted, cost::Traversal, estimate::Traverse, kCostByName};
constexpr Behaviour kMin = {Min, cost::Traversal, estimate::Traverse, kCostByName};
constexpr Behaviour kMax = {Max, cost::Traversal, estimate::Traverse, kCostByName};

constexpr std::string_view kComparable[] = {"int",      "uint",      "double", "bool",
                                            "duration", "timestamp", "string", "bytes"};

constexpr Row kSums[] = {
    {"sum",
     "list_int_sum_int",
     kMember,
     "list(int)",
     "int",
     {SumInts, cost::Traversal, estimate::Traverse, kCostByName}},
    {"sum",
     "list_uint_sum_uint",
     kMember,
     "list(uint)",
     "uint",
     {SumUints, cost::Traversal, estimate::Traverse, kCostByName}},
    {"sum",
     "list_double_sum_double",
     kMember,
     "list(double)",
     "double",
     {SumDoubles, cost::Traversal, estimate::Traverse, kCostByName}},
    {"sum",
     "list_duration_sum_duration",
     kMember,
     "list(duration)",
     "duration",
     {SumDurations, cost::Traversal, estimate::Traverse, kCostByName}},
};

constexpr Row kIndexes[] = {
    {"indexOf",
     "list_a_index_of_int",
     kMember,
     "list(A), A",
     "int",
     {IndexOf, cost::Traversal, estimate::Traverse, kCostByName}},
    {"lastIndexOf",
     "list_a_last_index_of_int",
     kMember,
     "list(A), A",
     "int",
     {LastIndexOf, cost::Traversal, estimate::Traverse, kCostByName}},
};

constexpr Row kIncludes[] = {
    {"includes",
     "list_includes_dyn_dyn",
     kMember,
     "dyn, dyn",
     "bool",
     {Includes, cost::Traversal, IncludesEstimate, kCostByName}},
};

}  // namespace

void DeclareKubernetesLists(Environment& environment) {
  for (const std::string_view type : kComparable) {
    const std::string list = fmt::format("list({})", type);
    const std::string is_sorted = fmt::format("list_{}_is_sorted_bool", type);
    const std::string min = fmt::format("list_{0}_min_{0}", type);
    const std::string max = fmt::format("list_{0}_max_{0}", type);
    Declare(environment, {"isSorted", is_sorted, kMember, list, "bool", kIsSorted});
    Declare(environment, {"min", min, kMember, list, type, kMin});
    Declare(environment, {"max", max, kMember, list, type, kMax});
  }
  Declare(environment, kSums);
  Declare(environment, kIndexes);
}

void DeclareIncludes(Environment& environment) { Declare(environment, kIncludes); }

}  // namespace quadra::cel
