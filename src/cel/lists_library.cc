// The lists extension, version 3: slice, flatten, range, sort, distinct, reverse.
#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "cel/containers.h"
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

Value NotAList(CallContext& context, const Value& value) {
  switch (value.kind()) {
    case Kind::kString:
    case Kind::kTimestamp:
    case Kind::kDuration:
      return Value::Of(&errors::kNoSuchOverload);
    default:
      return TextError(context.arena, fmt::format("no such overload: {}", context.function));
  }
}

Value Sort(CallContext& context, Arguments arguments) {
  return arguments[0].kind() == Kind::kList ? SortByKeys(context, arguments[0], arguments[0])
                                            : NotAList(context, arguments[0]);
}

Value SortByAssociatedKeys(CallContext& context, Arguments arguments) {
  if (arguments[0].kind() != Kind::kList || arguments[1].kind() != Kind::kList) {
    return NotAList(context, arguments[0]);
  }
  return SortByKeys(context, arguments[0], arguments[1]);
}

constexpr std::array kBindings = {
    Binding{"list_slice", Slice, kVariadic},
    Binding{"list_flatten", Flatten, kUnguarded},
    Binding{"list_flatten_int", FlattenDeep, kUnguarded},
    Binding{"lists_range", Range},
    Binding{"list_reverse", Reverse},
    Binding{"list_distinct", Distinct},
    Binding{"sort", Sort, kByName},
    Binding{"@sortByAssociatedKeys", SortByAssociatedKeys, kByName},
};

}  // namespace

std::span<const Binding> ListBindings() { return kBindings; }

}  // namespace quadra::cel
