#include "live/three_way.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace quadra::live {
namespace {

using json::Kind;
using json::Value;

const Value& Nothing() {
  static const Value nothing{Value::Object()};
  return nothing;
}

bool IsObject(const Value* value) { return value != nullptr && value->kind() == Kind::kObject; }
bool IsArray(const Value* value) { return value != nullptr && value->kind() == Kind::kArray; }

// What the schema says of a member's value; all null or empty where it says nothing.
struct Shape {
  const api::Type* type = nullptr;
  std::string_view strategy;
  std::string_view key;

  const api::Struct* fields() const { return type == nullptr ? nullptr : type->fields; }
  const api::Type* element() const { return type == nullptr ? nullptr : type->element; }
  bool merges() const { return strategy.find("merge") != std::string_view::npos; }
};

// A struct's field, or the entry of a map.
Shape ShapeOf(const api::Struct* schema, const api::Type* map, std::string_view member) {
  if (schema != nullptr) {
    std::size_t hint = 0;
    const api::Field* const field = api::FindField(*schema, member, hint);
    return field == nullptr ? Shape() : Shape{field->type, field->patch_strategy, field->patch_key};
  }
  return map == nullptr ? Shape() : Shape{map->element, {}, {}};
}

const Value* Item(const Value::Array& items, std::string_view key, const Value& wanted) {
  const auto found =
      std::ranges::find_if(items, [&](const Value& item) { return item.Get(key) == wanted; });
  return found == items.end() ? nullptr : &*found;
}

bool Has(const Value::Array& items, const Value& wanted) {
  return std::ranges::find(items, wanted) != items.end();
}

const Value::Array& ItemsOf(const Value* list) {
  static const Value::Array none;
  return IsArray(list) ? list->items() : none;
}

Value Patch(const ThreeWay& sides, const api::Struct* schema, const api::Type* map);

// The members of a patch under way.
class Patching {
 public:
  Patching(const ThreeWay& sides, const api::Struct* schema, const api::Type* map)
      : sides_(sides), schema_(schema), map_(map) {}

  Value Run() {
    for (const Value::Member& member : sides_.wanted.members()) {
      Want(member.key, member.value);
    }
    if (sides_.applied.kind() == Kind::kObject) {
      for (const Value::Member& member : sides_.applied.members()) {
        Unwant(member.key);
      }
    }
    return std::move(patch_);
  }

 private:
  void Want(const std::string& key, const Value& wanted) {
    const Value* const current = sides_.current.Find(key);
    const Shape shape = ShapeOf(schema_, map_, key);
    if (wanted.is_null() ? current == nullptr : current != nullptr && *current == wanted) {
      return;
    }
    if (IsObject(current) && IsObject(&wanted)) {
      return Nested(key, wanted, *current, shape);
    }
    if (IsArray(current) && IsArray(&wanted) && shape.merges()) {
      return shape.key.empty() ? Set(key, wanted, *current) : Keyed(key, wanted, *current, shape);
    }
    patch_.Set(key, wanted);
  }

  void Unwant(const std::string& key) {
    if (sides_.wanted.Find(key) == nullptr && sides_.current.Find(key) != nullptr) {
      patch_.Set(key, Value());
    }
  }

  void Nested(const std::string& key, const Value& wanted, const Value& current,
              const Shape& shape) {
    const Value* const applied = sides_.applied.Find(key);
    Value inner = Patch(
        {.applied = IsObject(applied) ? *applied : Nothing(), .wanted = wanted, .current = current},
        shape.fields(), shape.fields() == nullptr ? shape.type : nullptr);
    if (!inner.members().empty()) {
      patch_.Set(key, std::move(inner));
    }
  }

  // A list of structs that a key tells apart.
  void Keyed(const std::string& key, const Value& wanted, const Value& current,
             const Shape& shape) {
    Value::Array items;
    for (const Value& item : wanted.items()) {
      AddItem(item, ItemsOf(sides_.applied.Find(key)), current.items(), shape, items);
    }
    for (const Value& item : ItemsOf(sides_.applied.Find(key))) {
      const Value& name = item.Get(shape.key);
      if (Item(wanted.items(), shape.key, name) == nullptr &&
          Item(current.items(), shape.key, name) != nullptr) {
        Value gone{Value::Object()};
        gone.Set("$patch", Value(std::string("delete")));
        gone.Set(shape.key, name);
        items.push_back(std::move(gone));
      }
    }
    if (!items.empty()) {
      patch_.Set(key, Value(std::move(items)));
    }
  }

  static void AddItem(const Value& wanted, const Value::Array& applied, const Value::Array& current,
                      const Shape& shape, Value::Array& into) {
    const Value& name = wanted.Get(shape.key);
    const Value* const now = Item(current, shape.key, name);
    if (!IsObject(now) || !IsObject(&wanted)) {
      return into.push_back(wanted);
    }
    const Value* const before = Item(applied, shape.key, name);
    Value inner = Patch(
        {.applied = IsObject(before) ? *before : Nothing(), .wanted = wanted, .current = *now},
        shape.element() == nullptr ? nullptr : shape.element()->fields, nullptr);
    if (!inner.members().empty()) {
      inner.Set(shape.key, name);
      into.push_back(std::move(inner));
    }
  }

  // A list of scalars, each once.
  void Set(const std::string& key, const Value& wanted, const Value& current) {
    Value::Array added;
    Value::Array gone;
    for (const Value& item : wanted.items()) {
      if (!Has(current.items(), item)) {
        added.push_back(item);
      }
    }
    for (const Value& item : ItemsOf(sides_.applied.Find(key))) {
      if (!Has(wanted.items(), item) && Has(current.items(), item)) {
        gone.push_back(item);
      }
    }
    if (!gone.empty()) {
      patch_.Set("$deleteFromPrimitiveList/" + key, Value(std::move(gone)));
    }
    if (!added.empty()) {
      patch_.Set(key, Value(std::move(added)));
    }
  }

  const ThreeWay& sides_;
  const api::Struct* const schema_;
  const api::Type* const map_;  // where the object is a map
  Value patch_{Value::Object()};
};

// Recursion is as deep as the object, which a reader has limited.
Value Patch(const ThreeWay& sides, const api::Struct* schema, const api::Type* map) {
  return Patching(sides, schema, map).Run();
}

}  // namespace

json::Value PatchFor(const ThreeWay& sides, const api::Struct* schema) {
  return Patch(sides, schema, nullptr);
}

}  // namespace quadra::live
