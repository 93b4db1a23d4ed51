#include "apiserver/openapi_schemas.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "apiserver/json_members.h"
#include "apiserver/words.h"
#include "base/check.h"

namespace quadra::apiserver {
namespace {

using api::Field;
using api::KindSchema;
using api::ListType;
using api::Struct;
using api::Type;
using api::TypeKind;
using json::Writer;

// Types that JSON does not write as structs.
struct PlainSchema {
  std::optional<TypeKind> kind;  // nothing: referred to by name alone
  std::string_view name;
  std::string_view schema;
};

constexpr PlainSchema kPlainSchemas[] = {
    {std::nullopt, kPatchSchema,
     R"({"description":"A change to an object, in the form that its media type names.","type":"object"})"},
    {TypeKind::kTime, "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
     R"({"description":"A point in time to the second, as RFC 3339 writes it.","format":"date-time","type":"string"})"},
    {TypeKind::kMicroTime, "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
     R"({"description":"A point in time to the microsecond, as RFC 3339 writes it.","format":"date-time","type":"string"})"},
    {TypeKind::kQuantity, "io.k8s.apimachinery.pkg.api.resource.Quantity",
     R"({"description":"An exact amount: a decimal number with an optional suffix such as m, k, Mi or e3.","oneOf":[{"type":"string"},{"type":"number"}]})"},
    {TypeKind::kIntOrString, "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
     R"({"description":"A number, or a text such as a percentage or a name.","format":"int-or-string","oneOf":[{"type":"integer"},{"type":"string"}]})"},
    {TypeKind::kRawExtension, "io.k8s.apimachinery.pkg.runtime.RawExtension",
     R"({"description":"Any object; its owner knows what it means.","type":"object"})"},
    {TypeKind::kFieldsV1, "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1",
     R"({"description":"A set of fields, as a tree of their names.","type":"object"})"},
    {TypeKind::kJson, "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON",
     R"({"description":"Any JSON value."})"},
    {TypeKind::kSchemaOrArray,
     "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray",
     R"({"description":"A schema, or a list of schemas."})"},
    {TypeKind::kSchemaOrBool,
     "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool",
     R"({"description":"A schema, or a boolean."})"},
    {TypeKind::kSchemaOrStrings,
     "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray",
     R"({"description":"A schema, or a list of names."})"},
};

const PlainSchema* FindPlainSchema(std::string_view name) {
  const auto* const at = std::ranges::find(kPlainSchemas, name, &PlainSchema::name);
  return at == std::end(kPlainSchemas) ? nullptr : at;
}

// The name under which a type is defined by itself; empty where it is written in place.
std::string_view DefinitionName(const Type& type) {
  if (type.kind == TypeKind::kStruct) {
    return type.fields->openapi;
  }
  const auto* const at = std::ranges::find(kPlainSchemas, type.kind, &PlainSchema::kind);
  return at == std::end(kPlainSchemas) ? std::string_view{} : at->name;
}

struct Scalar {
  std::string_view type;
  std::string_view format = {};
  std::string_view zero;  // JSON
};

Scalar ScalarOf(TypeKind kind) {
  switch (kind) {
    case TypeKind::kBool:
      return {"boolean", "", "false"};
    case TypeKind::kInt32:
      return {"integer", "int32", "0"};
    case TypeKind::kInt64:
      return {"integer", "int64", "0"};
    case TypeKind::kDouble:
      return {"number", "double", "0"};
    case TypeKind::kBytes:
      return {"string", "byte", {}};
    default:
      return {"string", "", R"("")"};
  }
}

bool IsScalar(const Type& type) {
  return DefinitionName(type).empty() && type.kind != TypeKind::kList &&
         type.kind != TypeKind::kMap;
}

// What an absent field counts as: what the table says, else Go's zero value where that is always
// written. Empty: nothing.
std::string_view FieldDefault(const Field& field) {
  if (!field.default_json.empty() && field.default_when.empty() && field.default_json != "<now>") {
    return field.default_json;
  }
  if (field.pointer) {
    return {};
  }
  if (field.type->kind == TypeKind::kStruct) {
    return "{}";
  }
  return IsScalar(*field.type) && !field.omit_empty ? ScalarOf(field.type->kind).zero
                                                    : std::string_view{};
}

std::string_view SpellingOf(ListType type) {
  switch (type) {
    case ListType::kAtomic:
      return "atomic";
    case ListType::kSet:
      return "set";
    case ListType::kMap:
      return "map";
  }
  return {};
}

void WriteMerging(Writer& writer, const Field& field) {
  if (field.type->kind == TypeKind::kList) {
    if (field.list_type == ListType::kMap) {
      Texts(writer, "x-kubernetes-list-map-keys", Words(field.list_keys));
    }
    Text(writer, "x-kubernetes-list-type", SpellingOf(field.list_type));
  }
  if (field.atomic_map) {
    Text(writer, "x-kubernetes-map-type", "atomic");
  }
  if (!field.patch_key.empty()) {
    Text(writer, "x-kubernetes-patch-merge-key", field.patch_key);
  }
  if (!field.patch_strategy.empty()) {
    Text(writer, "x-kubernetes-patch-strategy", field.patch_strategy);
  }
}

void WriteRequired(Writer& writer, const Struct& type) {
  if (std::ranges::none_of(type.fields, &Field::required)) {
    return;
  }
  Array(writer, "required", [&] {
    for (const Field& field : type.fields) {
      if (field.required) {
        writer.String(field.json);
      }
    }
  });
}

void WriteKind(Writer& writer, std::string_view group, std::string_view version,
               std::string_view kind) {
  Object(writer, [&] {
    Text(writer, "group", group);
    Text(writer, "kind", kind);
    Text(writer, "version", version);
  });
}

// Kinds that Go registers in every version, as part of its machinery.
bool IsInEveryVersion(const KindSchema& kind) {
  return kind.kind == "DeleteOptions" || kind.kind == "WatchEvent";
}

}  // namespace

void OpenApiSchemas::Ref(Writer& writer, std::string_view name) {
  if (defined_.try_emplace(name).second) {
    pending_.push_back(name);
  }
  Object(writer, [&] { Text(writer, "$ref", fmt::format("#/components/schemas/{}", name)); });
}

void OpenApiSchemas::Write(Writer& writer) {
  while (!pending_.empty()) {
    const std::string_view name = pending_.back();
    pending_.pop_back();
    defined_[name] = Define(name);
  }
  Object(writer, [&] {
    for (const auto& [name, schema] : defined_) {
      writer.Key(name);
      writer.Raw(schema);
    }
  });
}

std::string OpenApiSchemas::Define(std::string_view name) {
  if (const PlainSchema* plain = FindPlainSchema(name)) {
    return std::string(plain->schema);
  }
  const Struct* const type = api::FindStruct(name);
  QUADRA_CHECK(type != nullptr, "only structs of the tables are referred to");
  std::string schema;
  Writer writer(schema);
  WriteStruct(writer, *type);
  return schema;
}

void OpenApiSchemas::WriteStruct(Writer& writer, const Struct& type) {
  Object(writer, [&] {
    if (!type.fields.empty()) {
      Object(writer, "properties", [&] {
        for (const Field& field : type.fields) {
          writer.Key(field.json);
          WriteProperty(writer, field);
        }
      });
    }
    WriteRequired(writer, type);
    Text(writer, "type", "object");
    WriteKinds(writer, type);
    if (type.atomic) {
      Text(writer, "x-kubernetes-map-type", "atomic");
    }
  });
}

// References are wrapped, since nothing may stand beside a bare one.
void OpenApiSchemas::WriteProperty(Writer& writer, const Field& field) {
  Object(writer, [&] {
    if (!field.description.empty()) {
      Text(writer, "description", field.description);
    }
    if (const std::string_view value = FieldDefault(field); !value.empty()) {
      writer.Key("default");
      writer.Raw(value);
    }
    if (const std::string_view name = DefinitionName(*field.type); !name.empty()) {
      Array(writer, "allOf", [&] { Ref(writer, name); });
    } else {
      WriteType(writer, *field.type);
    }
    WriteMerging(writer, field);
  });
}

// The members of a schema that is written in place.
void OpenApiSchemas::WriteType(Writer& writer, const Type& type) {
  const auto element = [&](std::string_view key) {
    writer.Key(key);
    if (const std::string_view name = DefinitionName(*type.element); !name.empty()) {
      Ref(writer, name);
    } else {
      Object(writer, [&] { WriteType(writer, *type.element); });
    }
  };
  if (type.kind == TypeKind::kList) {
    Text(writer, "type", "array");
    element("items");
  } else if (type.kind == TypeKind::kMap) {
    Text(writer, "type", "object");
    element("additionalProperties");
  } else {
    const Scalar scalar = ScalarOf(type.kind);
    Text(writer, "type", scalar.type);
    if (!scalar.format.empty()) {
      Text(writer, "format", scalar.format);
    }
  }
}

void OpenApiSchemas::WriteKinds(Writer& writer, const Struct& type) {
  std::vector<const KindSchema*> kinds;
  for (const KindSchema& kind : api::AllKinds()) {
    if (kind.fields == &type && kind.group != "meta.k8s.io") {
      kinds.push_back(&kind);
    }
  }
  if (kinds.empty()) {
    return;
  }
  Array(writer, "x-kubernetes-group-version-kind", [&] {
    for (const KindSchema* kind : kinds) {
      WriteKind(writer, kind->group, kind->version, kind->kind);
      if (IsInEveryVersion(*kind) && !group_.empty()) {
        WriteKind(writer, group_, version_, kind->kind);
      }
    }
  });
}

}  // namespace quadra::apiserver
