#include "patch/shape.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "api/vocabulary.h"
#include "base/go_text.h"

namespace quadra::patch {
namespace {

using api::TypeKind;

std::string_view KindOf(const api::Type& type) {
  switch (type.kind) {
    case TypeKind::kString:
      return "string";
    case TypeKind::kBool:
      return "bool";
    case TypeKind::kInt32:
      return "int32";
    case TypeKind::kInt64:
      return "int64";
    case TypeKind::kDouble:
      return "float64";
    case TypeKind::kBytes:
    case TypeKind::kList:
      return "slice";
    case TypeKind::kMap:
      return "map";
    default:
      return "struct";
  }
}

// The Go name of a type whose kind is struct.
std::string_view StructName(const api::Type& type) {
  switch (type.kind) {
    case TypeKind::kStruct:
      return type.fields->name.substr(type.fields->name.find('.') + 1);
    case TypeKind::kQuantity:
      return "Quantity";
    case TypeKind::kTime:
      return "Time";
    case TypeKind::kMicroTime:
      return "MicroTime";
    case TypeKind::kIntOrString:
      return "IntOrString";
    case TypeKind::kRawExtension:
      return "RawExtension";
    case TypeKind::kFieldsV1:
      return "FieldsV1";
    case TypeKind::kSchemaOrArray:
      return "JSONSchemaPropsOrArray";
    case TypeKind::kSchemaOrBool:
      return "JSONSchemaPropsOrBool";
    case TypeKind::kSchemaOrStrings:
      return "JSONSchemaPropsOrStringArray";
    default:
      return "JSON";
  }
}

// Only kStruct has fields that JSON knows.
const api::Field* FindField(const api::Type& type, std::string_view name) {
  if (type.kind != TypeKind::kStruct) {
    return nullptr;
  }
  std::size_t hint = 0;
  if (const api::Field* exact = api::FindField(*type.fields, name, hint)) {
    return exact;
  }
  const auto fields = type.fields->fields;
  const auto at = std::ranges::find_if(fields, [folded = api::ToLower(name)](const auto& field) {
    return api::ToLower(field.json) == folded;
  });
  return at == fields.end() ? nullptr : &*at;
}

Rule RuleOf(const api::Field& field) {
  Rule rule{.shape = {field.type, field.pointer}, .merge_key = field.patch_key};
  for (const std::string_view strategy : api::Split(field.patch_strategy, ',')) {
    rule.merge |= strategy == "merge";
    rule.replace |= strategy == "replace";
  }
  return rule;
}

bool IsList(const api::Type& type) { return KindOf(type) == "slice"; }

// The shape of the elements of what is no list is its own: upstream lets pointers pass as such.
Shape ElementOf(const api::Type& type) {
  static constexpr api::Type kByte{TypeKind::kInt32};
  if (type.kind == TypeKind::kBytes) {
    return {&kByte};
  }
  return {type.kind == TypeKind::kList ? type.element : &type};
}

}  // namespace

std::string_view GoKind(const Shape& shape) { return shape.pointer ? "ptr" : KindOf(*shape.type); }

tl::expected<Rule, Refused> RuleOfObject(const Shape& parent, std::string_view name) {
  if (KindOf(*parent.type) != "struct") {
    return tl::unexpected(InternalError(
        fmt::format("merging an object in json but data type is not struct, instead is: {}",
                    KindOf(*parent.type))));
  }
  if (const api::Field* field = FindField(*parent.type, name)) {
    return RuleOf(*field);
  }
  return tl::unexpected(
      InternalError(fmt::format("unable to find api field in struct {} for the json field {}",
                                StructName(*parent.type), GoQuote(name))));
}

tl::expected<Rule, Refused> RuleOfList(const Shape& parent, std::string_view name) {
  tl::expected<Rule, Refused> rule = RuleOfObject(parent, name);
  if (!rule) {
    return rule;
  }
  const Shape field = rule->shape;
  rule->shape = ElementOf(*field.type);
  if (!field.pointer && !IsList(*field.type)) {
    return tl::unexpected(
        InternalError(fmt::format("expected slice or array type, but got: {}", GoKind(parent))));
  }
  if (!field.pointer && IsList(*rule->shape.type)) {
    return tl::unexpected(InternalError("unexpected slice of slice"));
  }
  return rule;
}

}  // namespace quadra::patch
