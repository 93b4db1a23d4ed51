#include "api/value.h"

#include <algorithm>

namespace quadra::api {
namespace {

std::size_t LengthOf(const Value& value) {
  if (const auto* items = value.As<Value::Items>()) {
    return items->size();
  }
  if (const auto* entries = value.As<Value::Entries>()) {
    return entries->size();
  }
  return 0;
}

bool ItemsEqual(const Type& element, const Value& a, const Value& b) {
  if (LengthOf(a) != LengthOf(b)) {
    return false;
  }
  return LengthOf(a) == 0 ||
         std::ranges::equal(*a.As<Value::Items>(), *b.As<Value::Items>(),
                            [&](const Value& x, const Value& y) { return Equal(element, x, y); });
}

bool EntriesEqual(const Type& element, const Value& a, const Value& b) {
  if (LengthOf(a) != LengthOf(b)) {
    return false;
  }
  return LengthOf(a) == 0 ||
         std::ranges::equal(*a.As<Value::Entries>(), *b.As<Value::Entries>(),
                            [&](const auto& x, const auto& y) {
                              return x.first == y.first && Equal(element, x.second, y.second);
                            });
}

bool MembersEqual(const Struct& fields, const Value& a, const Value& b) {
  static const Value nil;
  return std::ranges::all_of(fields.fields, [&](const Field& field) {
    const Value* x = a.Member(field);
    const Value* y = b.Member(field);
    x = x != nullptr ? x : &nil;
    y = y != nullptr ? y : &nil;
    return (field.pointer && x->is_nil() != y->is_nil()) ? false : Equal(*field.type, *x, *y);
  });
}

// A nil scalar is its zero value.
template <typename T>
bool ScalarsEqual(const Value& a, const Value& b) {
  const T zero{};
  const T* x = a.As<T>();
  const T* y = b.As<T>();
  return (x != nullptr ? *x : zero) == (y != nullptr ? *y : zero);
}

bool IntOrStringEqual(const Value& a, const Value& b) {
  const bool text = a.As<std::string>() != nullptr || b.As<std::string>() != nullptr;
  return text ? ScalarsEqual<std::string>(a, b) && a.is_nil() == b.is_nil()
              : ScalarsEqual<std::int64_t>(a, b);
}

// A JSONSchemaProps, or a bool, or a list of either schemas or strings.
bool SchemaUnionsEqual(const Type& type, const Value& a, const Value& b) {
  static constexpr Type kText{TypeKind::kString};
  const Type schema{TypeKind::kStruct, nullptr, type.fields};
  if (a.As<Value::Members>() != nullptr || b.As<Value::Members>() != nullptr) {
    return a.is_nil() == b.is_nil() && MembersEqual(*type.fields, a, b);
  }
  if (a.As<bool>() != nullptr || b.As<bool>() != nullptr) {
    return a.is_nil() == b.is_nil() && ScalarsEqual<bool>(a, b);
  }
  return ItemsEqual(type.kind == TypeKind::kSchemaOrStrings ? kText : schema, a, b);
}

}  // namespace

const Value* Value::Member(const Field& field) const {
  const auto* members = As<Members>();
  if (members == nullptr) {
    return nullptr;
  }
  const auto at = std::ranges::lower_bound(*members, &field, {}, &Members::value_type::first);
  return at != members->end() && at->first == &field ? &at->second : nullptr;
}

Value* Value::Member(const Field& field) {
  return const_cast<Value*>(static_cast<const Value*>(this)->Member(field));
}

const Value* Value::Member(std::string_view json) const {
  if (const auto* members = As<Members>()) {
    const auto at =
        std::ranges::find(*members, json, [](const auto& member) { return member.first->json; });
    return at != members->end() ? &at->second : nullptr;
  }
  return nullptr;
}

Value* Value::Member(std::string_view json) {
  return const_cast<Value*>(static_cast<const Value*>(this)->Member(json));
}

Value& Value::AddMember(const Field& field) {
  auto& members = Make<Members>();
  if (members.empty() || members.back().first < &field) {
    return members.emplace_back(&field, Value()).second;
  }
  const auto at = std::ranges::lower_bound(members, &field, {}, &Members::value_type::first);
  return at->first == &field ? at->second : members.emplace(at, &field, Value())->second;
}

void Value::EraseMember(const Field& field) {
  if (auto* members = As<Members>()) {
    std::erase_if(*members, [&](const auto& member) { return member.first == &field; });
  }
}

void Value::EraseMember(std::string_view json) {
  if (auto* members = As<Members>()) {
    std::erase_if(*members, [&](const auto& member) { return member.first->json == json; });
  }
}

Value& Value::AddEntry(std::string_view key) {
  auto& entries = Make<Entries>();
  const auto at = std::ranges::lower_bound(
      entries, key, {}, [](const auto& entry) -> std::string_view { return entry.first; });
  return at != entries.end() && at->first == key
             ? at->second
             : entries.emplace(at, std::string(key), Value())->second;
}

bool Equal(const Type& type, const Value& a, const Value& b) {
  if (a.is_nil() && b.is_nil()) {  // schemas contain schemas: their zero values have no end
    return true;
  }
  switch (type.kind) {
    case TypeKind::kString:
    case TypeKind::kBytes:
      return ScalarsEqual<std::string>(a, b);
    case TypeKind::kBool:
      return ScalarsEqual<bool>(a, b);
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      return ScalarsEqual<std::int64_t>(a, b);
    case TypeKind::kDouble:
      return ScalarsEqual<double>(a, b);
    case TypeKind::kQuantity:
      return ScalarsEqual<quantity::Quantity>(a, b);
    case TypeKind::kTime:
    case TypeKind::kMicroTime:
      return a.is_nil() == b.is_nil() && ScalarsEqual<Time>(a, b);
    case TypeKind::kIntOrString:
      return IntOrStringEqual(a, b);
    case TypeKind::kRawExtension:
    case TypeKind::kFieldsV1:
    case TypeKind::kJson:
      return ScalarsEqual<RawJson>(a, b);
    case TypeKind::kSchemaOrArray:
    case TypeKind::kSchemaOrBool:
    case TypeKind::kSchemaOrStrings:
      return SchemaUnionsEqual(type, a, b);
    case TypeKind::kStruct:
      return MembersEqual(*type.fields, a, b);
    case TypeKind::kList:
      return ItemsEqual(*type.element, a, b);
    case TypeKind::kMap:
      return EntriesEqual(*type.element, a, b);
  }
  return false;
}

}  // namespace quadra::api
