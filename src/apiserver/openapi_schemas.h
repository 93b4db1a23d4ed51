// The component schemas of an OpenAPI v3 document, from the schema tables.
//
// Whoever writes a document refers to structs and kinds by Ref; Write then gives the schemas of all
// that was referred to and of what those are made of, each once, sorted by name.
//
//   OpenApiSchemas schemas("resource.k8s.io", "v1");
//   schemas.Ref(writer, *claim.fields);   // {"$ref": "#/components/schemas/io.k8s.api.…"}
//   schemas.Write(writer);                // an object, name to schema
//
// Not thread-safe. Cost: linear in the fields of the structs.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "json/writer.h"

namespace quadra::apiserver {

// What meta/v1 calls the body of any PATCH.
inline constexpr std::string_view kPatchSchema = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";

class OpenApiSchemas {
 public:
  // Of the document of that version: options and watch events are said to belong to it.
  OpenApiSchemas(std::string_view group, std::string_view version)
      : group_(group), version_(version) {}

  // Writes a reference, and remembers to define what it refers to. `name` is that of a struct of
  // the tables, or of one of the few types that have no struct, such as kPatchSchema.
  void Ref(json::Writer& writer, std::string_view name);
  void Ref(json::Writer& writer, const api::Struct& type) { Ref(writer, type.openapi); }

  void Write(json::Writer& writer);

 private:
  std::string Define(std::string_view name);
  void WriteStruct(json::Writer& writer, const api::Struct& type);
  void WriteProperty(json::Writer& writer, const api::Field& field);
  void WriteType(json::Writer& writer, const api::Type& type);
  void WriteKinds(json::Writer& writer, const api::Struct& type);

  std::string_view group_;
  std::string_view version_;
  std::map<std::string_view, std::string> defined_;  // schemas by name; empty while pending
  std::vector<std::string_view> pending_;            // referred to and not yet defined
};

}  // namespace quadra::apiserver
