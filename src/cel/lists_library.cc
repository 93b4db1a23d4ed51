// The lists extension, version 3: slice, flatten, range, sort, distinct, reverse.
#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/containers.h"
#include "cel/cost_range.h"
#include "cel/declarations.h"
#include "cel/equality.h"
#include "cel/eval_error.h"
#include "cel/functions.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;

// Work that a call may do before the meter hears of it.
constexpr std::size_t kMaxElements = 1'000'000;

Value ListOf(CallContext& context, const std::vector<Value>& values) {
  Value* copy = context.arena.MakeArray<Value>(values.size());
  std::ranges::copy(values, copy);
  return MakeList(context.arena, {copy, values.size()});
}

Value Slice(CallContext& context, Arguments arguments) {
  const ListObject& list = arguments[0].as_list();
  const std::int64_t start = arguments[1].as_int();
  const std::int64_t end = arguments[2].as_int();
  const auto size = static_cast<std::int64_t>(list.size());
  const std::string call = fmt::format("cannot slice({}, {}), ", start, end);
  if (start < 0 || end < 0) {
    return TextError(context.arena, call + "negative indexes not supported");
  }
  if (start > end) {
    return TextError(context.arena, call + "start index must be less than or equal to end index");
  }
  if (size < end) {
    return TextError(context.arena, call + fmt::format("list is length {}", size));
  }
  if (end - start > static_cast<std::int64_t>(kMaxElements)) {
    return Value::Of(&errors::kCostLimit);
  }
  std::vector<Value> values;
  for (std::int64_t i = start; i < end; ++i) {
    values.push_back(list.At(static_cast<std::size_t>(i)));
  }
  return ListOf(context, values);
}

// False when it grows beyond reason.
bool FlattenInto(const ListObject& list, std::int64_t depth, std::vector<Value>& out) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value element = list.At(i);
    if (out.size() > kMaxElements) {
      return false;
    }
    if (element.kind() != Kind::kList || depth == 0) {
      out.push_back(element);
    } else if (!FlattenInto(element.as_list(), depth - 1, out)) {
      return false;
    }
  }
  return true;
}

Value FlattenTo(CallContext& context, const ListObject& list, std::int64_t depth) {
  if (depth < 0) {
    return TextError(context.arena, "level must be non-negative");
  }
  std::vector<Value> values;
  return FlattenInto(list, depth, values) ? ListOf(context, values)
                                          : Value::Of(&errors::kCostLimit);
}

Value Flatten(CallContext& context, Arguments arguments) {
  if (arguments[0].kind() != Kind::kList) {
    return TextError(context.arena, fmt::format("no such overload: {}.flatten()",
                                                ToString(RuntimeType(arguments[0]))));
  }
  return FlattenTo(context, arguments[0].as_list(), 1);
}

Value FlattenDeep(CallContext& context, Arguments arguments) {
  if (arguments[0].kind() != Kind::kList || arguments[1].kind() != Kind::kInt) {
    return TextError(context.arena, fmt::format("no such overload: {}.flatten({})",
                                                ToString(RuntimeType(arguments[0])),
                                                ToString(RuntimeType(arguments[1]))));
  }
  return FlattenTo(context, arguments[0].as_list(), arguments[1].as_int());
}

Value Range(CallContext& context, Arguments arguments) {
  const std::int64_t size = arguments[0].as_int();
  if (size < 0) {
    return TextError(context.arena,
                     fmt::format("lists.range: size must be non-negative, got {}", size));
  }
  if (constexpr std::int64_t kMost = 1'000'000; size > kMost) {
    return TextError(context.arena,
                     fmt::format("lists.range: size {} exceeds maximum allowed ({})", size, kMost));
  }
  Value* values = context.arena.MakeArray<Value>(static_cast<std::size_t>(size));
  for (std::int64_t i = 0; i < size; ++i) {
    values[i] = Value::Int(i);
  }
  return MakeList(context.arena, {values, static_cast<std::size_t>(size)});
}

Value Reverse(CallContext& context, Arguments arguments) {
  const ListObject& list = arguments[0].as_list();
  const std::size_t size = list.size();
  if (size > kMaxElements) {
    return Value::Of(&errors::kCostLimit);
  }
  Value* values = context.arena.MakeArray<Value>(size);
  for (std::size_t i = 0; i < size; ++i) {
    values[i] = list.At(size - i - 1);
  }
  return MakeList(context.arena, {values, size});
}

// Work is quadratic and charged afterwards: stop where the charge would exceed any limit.
constexpr std::size_t kMaxQuadratic = 100'000;

Value Distinct(CallContext& context, Arguments arguments) {
  const ListObject& list = arguments[0].as_list();
  const std::size_t size = list.size();
  if (size == 0) {
    return arguments[0];
  }
  if (size > kMaxQuadratic) {
    return Value::Of(&errors::kCostLimit);
  }
  std::vector<Value> unique;
  for (std::size_t i = 0; i < size; ++i) {
    const Value value = list.At(i);
    const bool seen = std::ranges::any_of(unique, [&](const Value& other) {
      return EqualUnlessNull(value, other) == Equality::kYes;
    });
    if (!seen) {
      unique.push_back(value);
    }
  }
  return ListOf(context, unique);
}

Value SizeMismatch(CallContext& context, std::size_t elements, std::size_t keys) {
  return TextError(
      context.arena,
      fmt::format("@sortByAssociatedKeys() expected a list of the same size as the associated keys "
                  "list, but got {} and {} elements respectively",
                  elements, keys));
}

// Positions in the order of their keys; equal keys stay in order.
std::vector<std::size_t> OrderOf(const std::vector<Value>& keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const Value result = Compare(keys[a], keys[b]);
    const std::int64_t sign = result.is_error() ? 0 : result.as_int();
    return sign == 0 ? a < b : sign < 0;
  });
  return order;
}

Value SortByKeys(CallContext& context, const Value& list, const Value& key_list) {
  const std::size_t size = list.as_list().size();
  if (size != key_list.as_list().size()) {
    return SizeMismatch(context, size, key_list.as_list().size());
  }
  if (size == 0) {
    return list;
  }
  if (size > kMaxQuadratic) {
    return Value::Of(&errors::kCostLimit);
  }
  std::vector<Value> keys;
  keys.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    keys.push_back(key_list.as_list().At(i));
  }
  if (!IsOrdered(keys.front())) {
    return TextError(context.arena, "list elements must be comparable");
  }
  if (std::ranges::any_of(keys, [&](const Value& key) { return key.kind() != keys[0].kind(); })) {
    return TextError(context.arena, "list elements must have the same type");
  }
  Value* sorted = context.arena.MakeArray<Value>(size);
  std::ranges::transform(OrderOf(keys), sorted,
                         [&](std::size_t at) { return list.as_list().At(at); });
  return MakeList(context.arena, {sorted, size});
}

Value Sort(CallContext& context, Arguments arguments) {
  return arguments[0].kind() == Kind::kList ? SortByKeys(context, arguments[0], arguments[0])
                                            : UnsupportedOperator(context, arguments[0]);
}

Value SortByAssociatedKeys(CallContext& context, Arguments arguments) {
  if (arguments[0].kind() != Kind::kList || arguments[1].kind() != Kind::kList) {
    return UnsupportedOperator(context, arguments[0]);
  }
  return SortByKeys(context, arguments[0], arguments[1]);
}

// --- Costs.

// What making a list costs: `factor` for each of `size` elements, and the list itself.
std::uint64_t AllocatingCost(double factor, std::uint64_t size) {
  if (factor < 0.0) {
    factor = 1.0;
  }
  return SaturatingAdd(SaturatingAdd(TruncateAsGo(static_cast<double>(size) * factor), 1),
                       kListCost);
}

Charge ListResultCost(Arguments /*arguments*/, const Value& result) {
  return {AllocatingCost(1, PlainSize(result))};
}

Charge FlattenCost(Arguments arguments, const Value& /*result*/) {
  double depth = 1.0;
  if (arguments.size() == 2) {
    if (arguments[1].kind() != Kind::kInt) {
      return {.panic = "not types.Int", .operand = 1};
    }
    depth = static_cast<double>(arguments[1].as_int());
  }
  return {AllocatingCost(depth, PlainSize(arguments[0]))};
}

// The words of Go, which asks operands that are no list whether they could be one.
const char* MissingMethod(Kind kind) {
  const bool has_add = kind != Kind::kError && kind != Kind::kBool && kind != Kind::kNull &&
                       kind != Kind::kMap && kind < Kind::kType;
  return has_add ? "missing method Contains" : "missing method Add";
}

// Every pair of elements is compared.
Charge PairwiseCost(Arguments arguments, std::size_t operand) {
  const Value& list = arguments[operand];
  if (list.kind() != Kind::kList) {
    return {.panic = MissingMethod(list.kind()), .operand = operand};
  }
  const std::uint64_t size = list.as_list().size();
  if (size == 0) {
    return {AllocatingCost(2.0, 0)};
  }
  const Kind first = list.as_list().At(0).kind();
  const double factor = first == Kind::kString || first == Kind::kBytes ? 2.0 + kTraversal : 2.0;
  return {AllocatingCost(factor, SaturatingMultiply(size, size))};
}

Charge SelfCompareCost(Arguments arguments, const Value& /*result*/) {
  return PairwiseCost(arguments, 0);
}

Charge SelfCompareKeysCost(Arguments arguments, const Value& /*result*/) {
  return PairwiseCost(arguments, 1);
}

// A call that makes a list of `size` elements, each at `factor`.
CallEstimate ListMaking(double factor, CostRange size) {
  return {.cost = size * factor + Fixed(1) + Fixed(kListCost), .result_size = size};
}

CallEstimate SliceEstimate(const CallSite& site) {
  const std::uint64_t start = site.LiteralOr(site.arguments[0], 0);
  const std::uint64_t end = site.LiteralOr(site.arguments[1], site.TargetSize().max);
  return ListMaking(1, Fixed(end - start));  // wraps around, as upstream's does
}

CallEstimate RangeEstimate(const CallSite& site) {
  return ListMaking(1, Fixed(site.LiteralOr(site.arguments[0], kUnbounded)));
}

CallEstimate ReverseEstimate(const CallSite& site) { return ListMaking(1, site.TargetSize()); }

CallEstimate FlattenEstimate(const CallSite& site) {
  const std::uint64_t depth =
      site.arguments.empty() ? 1 : site.LiteralOr(site.arguments[0], kUnbounded);
  return ListMaking(static_cast<double>(depth), site.TargetSize());
}

// Quadratic, at `factor` for each pair.
CallEstimate Pairwise(CostRange size, double factor) { return ListMaking(factor, size * size); }

CallEstimate DistinctEstimate(const CallSite& site) { return Pairwise(site.TargetSize(), 2.0); }

// sort() sorts its receiver, @sortByAssociatedKeys() by its argument.
CostRange KeysSize(const CallSite& site) {
  return site.arguments.empty() ? site.TargetSize() : site.ArgumentSize(0);
}

CallEstimate SortEstimate(const CallSite& site) { return Pairwise(KeysSize(site), 2.0); }

CallEstimate SortTextsEstimate(const CallSite& site) {
  return Pairwise(KeysSize(site), 2.0 + kTraversal);
}

constexpr Row kRows[] = {
    {"distinct",
     "list_distinct",
     kMember,
     "list(T)",
     "list(T)",
     {Distinct, SelfCompareCost, DistinctEstimate}},
    {"flatten",
     "list_flatten",
     kMember,
     "list(list(T))",
     "list(T)",
     {Flatten, FlattenCost, FlattenEstimate, kUnguarded}},
    {"flatten",
     "list_flatten_int",
     kMember,
     "list(dyn), int",
     "list(dyn)",
     {FlattenDeep, FlattenCost, FlattenEstimate, kUnguarded}},
    {"lists.range",
     "lists_range",
     kGlobal,
     "int",
     "list(int)",
     {Range, ListResultCost, RangeEstimate}},
    {"reverse",
     "list_reverse",
     kMember,
     "list(T)",
     "list(T)",
     {Reverse, ListResultCost, ReverseEstimate}},
    {"slice",
     "list_slice",
     kMember,
     "list(T), int, int",
     "list(T)",
     {Slice, ListResultCost, SliceEstimate, kVariadic}},
};

// Element types that lists sort by, with their names in ids.
struct Sortable {
  std::string_view id;
  std::string_view type;
  std::remove_pointer_t<EstimateFunction>& estimate;
};
constexpr Sortable kSortable[] = {
    {"int", "int", SortEstimate},
    {"uint", "uint", SortEstimate},
    {"double", "double", SortEstimate},
    {"bool", "bool", SortEstimate},
    {"google.protobuf.Duration", "duration", SortEstimate},
    {"google.protobuf.Timestamp", "timestamp", SortEstimate},
    {"string", "string", SortTextsEstimate},
    {"bytes", "bytes", SortTextsEstimate},
};

}  // namespace

void DeclareLists(Environment& environment) {
  Declare(environment, kRows);
  for (const Sortable& element : kSortable) {
    const std::string list = fmt::format("list({})", element.type);
    const std::string with_keys = fmt::format("list(T), {}", list);
    const std::string by_itself = fmt::format("list_{}_sort", element.id);
    const std::string by_keys = fmt::format("list_{}_sortByAssociatedKeys", element.id);
    Declare(environment, {"sort",
                          by_itself,
                          kMember,
                          list,
                          list,
                          {Sort, SelfCompareCost, element.estimate, kByName}});
    Declare(environment, {"@sortByAssociatedKeys",
                          by_keys,
                          kMember,
                          with_keys,
                          "list(T)",
                          {SortByAssociatedKeys, SelfCompareKeysCost, element.estimate, kByName}});
  }
}

}  // namespace quadra::cel
