#include "apiserver/tree.h"

#include "base/check.h"

namespace quadra::apiserver {
namespace {

const api::Field& FieldNamed(const api::Struct* schema, std::string_view name) {
  std::size_t hint = 0;
  const api::Field* field = schema == nullptr ? nullptr : api::FindField(*schema, name, hint);
  QUADRA_CHECK(field != nullptr, "names of fields are those of the tables");
  return *field;
}

}  // namespace

api::Value& Reach(api::Object& object, std::initializer_list<std::string_view> path) {
  const api::Struct* schema = object.kind->fields;
  api::Value* value = &object.root;
  for (const std::string_view name : path) {
    const api::Field& field = FieldNamed(schema, name);
    value = &value->AddMember(field);
    schema = field.type->fields;
  }
  return *value;
}

void AddItem(api::Object& object, std::initializer_list<std::string_view> path,
             const std::function<void(const Member&)>& fill) {
  const api::Struct* schema = object.kind->fields;
  for (const std::string_view name : path) {
    const api::Type& type = *FieldNamed(schema, name).type;
    schema = type.kind == api::TypeKind::kList ? type.element->fields : type.fields;
  }
  api::Value item;
  fill([&](std::string_view name) -> api::Value& {
    return item.AddMember(FieldNamed(schema, name));
  });
  Reach(object, path).Make<api::Value::Items>().push_back(std::move(item));
}

const api::Value* Look(const api::Value& value, Path path) {
  const api::Value* found = &value;
  for (const std::string_view name : path) {
    found = found == nullptr ? nullptr : found->Member(name);
  }
  return found;
}

const api::Value* Look(const api::Object& object, Path path) { return Look(object.root, path); }

std::string TextAt(const api::Value& value, Path path) {
  const api::Value* found = Look(value, path);
  const std::string* text = found == nullptr ? nullptr : found->As<std::string>();
  return text == nullptr ? "" : *text;
}

std::string TextAt(const api::Object& object, Path path) { return TextAt(object.root, path); }

std::span<const api::Value> ItemsAt(const api::Value& value, Path path) {
  const api::Value* found = Look(value, path);
  const auto* items = found == nullptr ? nullptr : found->As<api::Value::Items>();
  return items == nullptr ? std::span<const api::Value>() : std::span<const api::Value>(*items);
}

}  // namespace quadra::apiserver
