// The sets extension, and the map insertion that two-variable comprehensions expand to.
#include <array>

#include <fmt/format.h>

#include "cel/containers.h"
#include "cel/equality.h"
#include "cel/eval_error.h"
#include "cel/functions.h"
#include "cel/go_text.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;

bool ContainsAll(const ListObject& list, const ListObject& elements) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (!ListContains(list, elements.At(i))) {
      return false;
    }
  }
  return true;
}

// More comparisons than any cost limit allows.
bool IsTooLong(Arguments arguments) {
  constexpr std::size_t kMaxComparisons = 50'000'000;
  const std::size_t left = arguments[0].as_list().size();
  return left > 0 && arguments[1].as_list().size() > kMaxComparisons / left;
}

Value SetsContains(CallContext&, Arguments arguments) {
  if (IsTooLong(arguments)) {
    return Value::Of(&errors::kCostLimit);
  }
  return Value::Bool(ContainsAll(arguments[0].as_list(), arguments[1].as_list()));
}

Value SetsEquivalent(CallContext&, Arguments arguments) {
  if (IsTooLong(arguments)) {
    return Value::Of(&errors::kCostLimit);
  }
  return Value::Bool(ContainsAll(arguments[0].as_list(), arguments[1].as_list()) &&
                     ContainsAll(arguments[1].as_list(), arguments[0].as_list()));
}

Value SetsIntersects(CallContext&, Arguments arguments) {
  if (IsTooLong(arguments)) {
    return Value::Of(&errors::kCostLimit);
  }
  const ListObject& list = arguments[0].as_list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (ListContains(arguments[1].as_list(), list.At(i))) {
      return Value::Bool(true);
    }
  }
  return Value::Bool(false);
}

// The accumulator itself if it is one, else a copy that may grow.
Value Growable(CallContext& context, const Value& map) {
  if (map.form() == ListForm::kGrowing) {
    return map;
  }
  auto* copy = context.arena.Make<GrowingMap>(context.arena);
  for (std::size_t i = 0; i < map.as_map().size(); ++i) {
    copy->Put(map.as_map().KeyAt(i), map.as_map().ValueAt(i));
  }
  return Value::Of(static_cast<const MapObject*>(copy));
}

Value Insert(CallContext& context, const Value& map, const Value& key, const Value& value) {
  if (const char* unhashable = UnhashableType(key)) {
    return FatalError(
        context.arena,
        fmt::format("internal error: runtime error: hash of unhashable type {}", unhashable));
  }
  if (!map.as_map().Find(key).is_absent()) {
    return TextError(context.arena,
                     fmt::format("insert failed: key {} already exists", GoText(key)));
  }
  const Value target = Growable(context, map);
  const_cast<GrowingMap&>(static_cast<const GrowingMap&>(target.as_map())).Put(key, value);
  return target;
}

Value InsertEntry(CallContext& context, Arguments arguments) {
  return Insert(context, arguments[0], arguments[1], arguments[2]);
}

Value InsertMap(CallContext& context, Arguments arguments) {
  Value target = arguments[0];
  const MapObject& update = arguments[1].as_map();
  for (std::size_t i = 0; i < update.size() && !target.is_error(); ++i) {
    target = Insert(context, target, update.KeyAt(i), update.ValueAt(i));
  }
  return target;
}

constexpr std::array kBindings = {
    Binding{"list_sets_contains_list", SetsContains},
    Binding{"list_sets_equivalent_list", SetsEquivalent},
    Binding{"list_sets_intersects_list", SetsIntersects},
    Binding{"@mapInsert_map_key_value", InsertEntry, kVariadic},
    Binding{"@mapInsert_map_map", InsertMap},
};

}  // namespace

std::span<const Binding> SetBindings() { return kBindings; }

}  // namespace quadra::cel
