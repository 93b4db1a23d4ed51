// cel.@mapInsert: what comprehensions that make maps expand to.
#include <fmt/format.h>

#include "cel/call_cost.h"
#include "cel/call_estimate.h"
#include "cel/containers.h"
#include "cel/declarations.h"
#include "cel/equality.h"
#include "cel/eval_error.h"
#include "cel/functions.h"
#include "cel/go_text.h"

namespace quadra::cel {
namespace {

using Arguments = std::span<const Value>;

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

constexpr Row kRows[] = {
    {"cel.@mapInsert",
     "@mapInsert_map_key_value",
     kGlobal,
     "map(K, V), K, V",
     "map(K, V)",
     {InsertEntry, cost::One, estimate::One, kVariadic}},
    {"cel.@mapInsert",
     "@mapInsert_map_map",
     kGlobal,
     "map(K, V), map(K, V)",
     "map(K, V)",
     {InsertMap, cost::One, estimate::One}},
};

}  // namespace

void DeclareTwoVariableComprehensions(Environment& environment) { Declare(environment, kRows); }

}  // namespace quadra::cel
