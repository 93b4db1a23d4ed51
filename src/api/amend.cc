#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "api/access.h"
#include "api/object.h"

namespace quadra::api {
namespace {

void AmendValue(const Type& type, TypedView from, Value& to);

// Go does not tell these from absent ones, except behind a pointer.
bool IsZero(const Value& value) {
  const TreeView view(&value);
  const bool scalar = value.As<std::string>() != nullptr || value.As<bool>() != nullptr ||
                      value.As<std::int64_t>() != nullptr;
  return view.is_nil() || (scalar && view.Text().empty() && !view.Bool() && view.Int() == 0);
}

void AddMember(const Field& field, TypedView from, Value& tree) {
  Value made;
  if (field.pointer && field.type->kind == TypeKind::kStruct) {
    made.Make<Value::Members>();
  }
  AmendValue(*field.type, from, made);
  if (field.pointer || !IsZero(made)) {
    tree.AddMember(field) = std::move(made);
  }
}

void AmendStruct(const Struct& schema, TypedView from, Value& to) {
  const TypedView::Members members = from.MembersOf(schema);
  for (std::size_t i = 0; i < schema.fields.size(); ++i) {
    if (!members.Keeps(i)) {
      continue;
    }
    const Field& field = schema.fields[i];
    const TypedView member = members.At(i);
    Value* const have = to.Member(field);
    const bool had = have != nullptr && !have->is_nil();
    if (had && member.is_nil()) {
      to.EraseMember(field);
    } else if (had) {
      AmendValue(*field.type, member, *have);
    } else if (!member.is_nil()) {
      AddMember(field, member, to);
    }
  }
}

// Items correspond by position.
void AmendItems(const Type& element, TypedView from, Value::Items& to) {
  to.resize(from.size());
  for (std::size_t n = 0; n < to.size(); ++n) {
    AmendValue(element, from.At(n), to[n]);
  }
}

bool HasKeysOf(const Value::Entries& entries, TypedView map) {
  std::size_t n = 0;
  return entries.size() == map.size() && std::ranges::all_of(entries, [&](const auto& entry) {
           return entry.first == map.Key(n++);
         });
}

// Takes out the entries with other keys, and adds those that are missing. Both are in key order.
void MatchKeys(TypedView map, Value::Entries& entries) {
  Value::Entries matched;
  auto next = entries.begin();
  for (std::size_t n = 0; n < map.size(); ++n) {
    const std::string_view key = map.Key(n);
    next = std::find_if(next, entries.end(), [&](const auto& entry) { return entry.first >= key; });
    const bool found = next != entries.end() && next->first == key;
    matched.emplace_back(std::string(key), found ? std::move(next->second) : Value());
  }
  entries = std::move(matched);
}

void AmendEntries(const Type& element, TypedView from, Value::Entries& to) {
  if (!HasKeysOf(to, from)) {
    MatchKeys(from, to);
  }
  for (std::size_t n = 0; n < to.size(); ++n) {
    AmendValue(element, from.At(n), to[n].second);
  }
}

// As they are printed: equal quantities may be spelled differently.
template <typename T, typename Wanted>
bool IsSame(const T& have, const Wanted& wanted) {
  if constexpr (std::is_same_v<T, quantity::Quantity>) {
    return have.LooksLike(wanted);
  } else {
    return have == wanted;
  }
}

template <typename T, typename Wanted>
void AmendScalar(const Wanted& wanted, Value& to) {
  const T* const have = to.As<T>();
  if (have == nullptr || !IsSame(*have, wanted)) {
    to.Set(T(wanted));
  }
}

void AmendValue(const Type& type, TypedView from, Value& to) {
  switch (type.kind) {
    case TypeKind::kString:
    case TypeKind::kBytes:
      return AmendScalar<std::string>(from.Text(), to);
    case TypeKind::kBool:
      return AmendScalar<bool>(from.Bool(), to);
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      return AmendScalar<std::int64_t>(from.Int(), to);
    case TypeKind::kQuantity:
      return AmendScalar<quantity::Quantity>(from.Amount(), to);
    case TypeKind::kTime:
    case TypeKind::kMicroTime:
      return AmendScalar<Time>(from.Moment(), to);
    case TypeKind::kRawExtension:
    case TypeKind::kFieldsV1:
    case TypeKind::kJson:
      return AmendScalar<RawJson>(RawJson{std::string(from.Raw())}, to);
    case TypeKind::kStruct:
      return AmendStruct(*type.fields, from, to);
    case TypeKind::kList:
      return AmendItems(*type.element, from, to.Make<Value::Items>());
    case TypeKind::kMap:
      return AmendEntries(*type.element, from, to.Make<Value::Entries>());
    case TypeKind::kDouble:
    case TypeKind::kIntOrString:
    case TypeKind::kSchemaOrArray:
    case TypeKind::kSchemaOrBool:
    case TypeKind::kSchemaOrStrings:
      return;  // no plain struct keeps these
  }
}

}  // namespace

namespace erased {

void Amend(const Struct& schema, const void* place, BindingFunction binding, Value& tree) {
  const Slot slot = StructSlot(binding);
  AmendStruct(schema, TypedView(place, &slot), tree);
}

}  // namespace erased
}  // namespace quadra::api
