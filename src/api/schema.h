// Schema: what a Kubernetes kind looks like. One table per kind drives everything that depends on
// shape: strict decode, JSON and protobuf encode, defaulting, comparison, conversion, and later
// OpenAPI, patches, server-side apply, tables.
//
// The tables are constants written by tools/schemagen (src/api/generated/) from upstream's Go types
// and OpenAPI documents, and from our overlay for what those do not say. Nothing here allocates or
// locks.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace quadra::api {

enum class TypeKind : std::uint8_t {
  kString,
  kBool,
  kInt32,
  kInt64,
  kDouble,
  kBytes,            // JSON: base64 string
  kQuantity,         // JSON: string or number
  kTime,             // RFC 3339, seconds
  kMicroTime,        // RFC 3339, microseconds
  kIntOrString,      // JSON: number or string
  kRawExtension,     // any JSON, kept as written
  kFieldsV1,         // a JSON object kept as written (managedFields)
  kJson,             // apiextensions' JSON: any value, kept as written
  kSchemaOrArray,    // apiextensions: one JSONSchemaProps or a list of them
  kSchemaOrBool,     // apiextensions: a JSONSchemaProps or a bool
  kSchemaOrStrings,  // apiextensions: a JSONSchemaProps or a list of strings
  kStruct,
  kList,
  kMap,  // keys are strings
};

struct Struct;

struct Type {
  TypeKind kind;
  const Type* element = nullptr;   // kList, kMap: of the elements
  const Struct* fields = nullptr;  // kStruct; kSchemaOr*: JSONSchemaProps
  // The Go type is a named list that protobuf wraps in a message with one field `items` (e.g.
  // Verbs, ExtraValue).
  bool proto_items = false;
};

enum class ListType : std::uint8_t { kAtomic, kSet, kMap };

struct Field {
  std::string_view json;     // name in JSON
  std::string_view go_name;  // name in Go, seen in some error texts
  const Type* type;
  std::string_view embedded = {};  // Go name of the embedded struct that holds it, if any
  std::uint16_t proto = 0;         // number in protobuf; 0: not encoded there (kind, apiVersion)
  // JSON shows the field here, protobuf inside the embedded message of this number.
  std::uint16_t proto_inside = 0;
  bool pointer = false;  // absent differs from zero (a Go pointer)
  // JSON leaves out the zero value. Never set for plain structs, where Go ignores it.
  bool omit_empty = false;
  bool omit_zero = false;  // JSON leaves out a zero struct or time as well
  bool required = false;   // named by OpenAPI's `required`
  ListType list_type = ListType::kAtomic;
  std::string_view list_keys = {};  // of ListType::kMap, space separated
  // Of strategic merge: merge, replace, retainKeys, comma separated.
  std::string_view patch_strategy = {};
  std::string_view patch_key = {};
  // Value given when absent (or zero, where absent does not differ): JSON, or <now>, the time in
  // whole seconds.
  std::string_view default_json = {};
  bool immutable = false;
  // The field is dropped on write when one of these feature gates, space separated, is off.
  std::string_view gate = {};
  std::string_view description = {};  // in our words; every field of resource.k8s.io has one
  // The default applies only when all of these hold, space separated: `name` (that sibling is not
  // empty), `name=value`. Siblings with defaults come earlier and have been given theirs.
  std::string_view default_when = {};
  bool atomic_map = false;  // kMap: server-side apply replaces it as a whole
};

struct Struct {
  std::string_view name;          // Go type, e.g. v1.DeviceClaim
  std::string_view openapi;       // e.g. io.k8s.api.resource.v1.DeviceClaim
  std::span<const Field> fields;  // in Go's order, embedded structs flattened
  // FindField's: a perfect hash of the JSON names to indices of fields; empty: they are searched.
  std::span<const std::uint8_t> lookup;
  std::uint64_t lookup_seed = 0;
  std::span<const std::uint8_t> proto_order;  // indices of the fields, as protobuf writes them
  bool atomic = false;                        // server-side apply replaces it as a whole
};

struct Column {
  std::string_view name;
  std::string_view path;  // JSONPath, or a word in angle brackets for a computed column, e.g. <age>
  bool wide = false;      // only with -o wide
  std::string_view type = "string";
};

struct KindSchema {
  std::string_view group;  // empty for core
  std::string_view version;
  std::string_view kind;
  std::string_view plural;  // empty where it has no endpoint of its own, e.g. lists, Status
  bool namespaced = false;
  bool has_status = false;  // has a /status subresource
  const Struct* fields = nullptr;
  // Of tables. Empty means upstream's default: Name, Created At.
  std::span<const Column> columns = {};
};

// All kinds, sorted by group, version, kind. Lists (`<Kind>List`) have entries of their own.
std::span<const KindSchema> AllKinds();

// Null when unknown. `api_version` is "v1" or "group/version". DeleteOptions of any version that has
// kinds are those of v1, as upstream knows them. Cost: a binary search.
const KindSchema* FindKind(std::string_view api_version, std::string_view kind);

// v1, resource.k8s.io/v1
std::string ApiVersionOf(const KindSchema& kind);

// The kind as which such objects are stored: that of v1 where the group has one. Events of
// events.k8s.io are the events of core, under other names.
const KindSchema& StoredKindOf(const KindSchema& kind);

// Null when unknown. `openapi` as in Struct, e.g. io.k8s.api.resource.v1.Device.
const Struct* FindStruct(std::string_view openapi);

// The field with this JSON name, or null. Cost: one comparison when it is the field at `hint`,
// which then moves on, so that documents in schema order need nothing more; otherwise a hash
// besides.
const Field* FindField(const Struct& type, std::string_view json, std::size_t& hint);

}  // namespace quadra::api
