// Object: API objects in and out of bytes. Generic objects (any kind, as a tree) and the plain
// structs of kinds.h go through the same tables, so they accept and print the same.
//
//   auto slice = DecodeJson<ResourceSlice>(text);  // strict, as upstream with Strict
//   std::string again = EncodeJson(*slice);        // byte for byte as upstream's encoder
//
// A tree holds all of its object. Some structs hold a part (partial.h): they can be read from an
// object and amend it, but not be written instead of it, which does not compile.
//
//   Pod pod = ToTyped<Pod>(object);
//   pod.status.phase = "Succeeded";
//   Amend(object, pod);  // volumes, probes and the like are still there
//
// Pure functions, thread-safe. Cost: linear in the bytes; see bench/ for figures beside Go's.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/decode_error.h"
#include "api/generated/bindings.h"
#include "api/identity.h"
#include "api/kinds.h"
#include "api/object_reader.h"  // IWYU pragma: export
#include "api/partial.h"
#include "api/registry.h"
#include "api/schema.h"
#include "api/value.h"
#include "base/result.h"

namespace quadra::api {

struct Object {
  const KindSchema* kind = nullptr;
  Value root;
};

enum class Strictness {
  kStrict,   // unknown and duplicate fields are errors
  kLenient,  // they are passed over; the last duplicate counts
};

struct DecodeOptions {
  Strictness strictness = Strictness::kStrict;
  const Registry* registry = nullptr;  // null: the generated kinds alone
  // The kind where the bytes do not say, as in requests whose address says it.
  const KindSchema* assumed = nullptr;
  // Receives every unknown and duplicate field, also when decoding is lenient.
  std::vector<DecodeError>* strict_errors = nullptr;
};

// Reads JSON of the kind its header names.
Decoded<Object> DecodeJson(std::string_view json, const DecodeOptions& options = {});
std::string EncodeJson(const Object& object, int indent = 0);

// Protobuf in upstream's envelope: the bytes k8s\0, then type and raw message. Unknown fields are
// ignored.
Result<Object> DecodeProto(std::string_view bytes, const KindSchema* assumed = nullptr);
std::string EncodeProto(const Object& object);
// The same of an object that EncodeJson wrote, straight from its text. Fields that the kind has not
// are left out.
std::string ProtoOfJson(const KindSchema& kind, std::string_view json);

// Semantic equality (value.h). Objects of different kinds or versions are never equal.
bool operator==(const Object& a, const Object& b);

// Fills the defaults that decoding gives in this version: those of the tables and the few that
// depend on other fields. `now` becomes the time of taints that have none.
void ApplyDefaults(Object& object, Time now);

// The object in another version of its group, or an event in the other of its groups. `lost`, if given, receives the paths that have no
// place there. Fails when that version does not have the kind.
Result<Object> Convert(const Object& object, std::string_view api_version,
                       std::vector<std::string>* lost = nullptr);

// Type-erased halves of the templates below.
namespace erased {
using BindingFunction = const Binding& (*)();
Decoded<Header> DecodeJson(std::string_view json, Strictness strictness, void* place,
                           BindingFunction binding);
std::string EncodeJson(const void* place, BindingFunction binding, std::string_view version);
std::string EncodeJsonWithout(const void* place, BindingFunction binding,
                              std::initializer_list<std::string_view> left_out);
std::string EncodeGoStruct(const void* place, BindingFunction binding);
Status DecodeProto(std::string_view bytes, void* place, BindingFunction binding);
std::string EncodeProto(const void* place, BindingFunction binding);
void FromTree(const Struct& schema, const Value& tree, void* place, BindingFunction binding);
Value ToTree(const void* place, BindingFunction binding);
void Amend(const Struct& schema, const void* place, BindingFunction binding, Value& tree);
}  // namespace erased

// A plain struct of a kind, from JSON whose header names that kind in a version of the same shape
// (v1 and v1beta2; convert older objects first).
template <typename T>
Decoded<T> DecodeJson(std::string_view json, Strictness strictness = Strictness::kStrict) {
  T value;
  if (auto read = erased::DecodeJson(json, strictness, &value, BindingOf<T>); !read) {
    return tl::unexpected(std::move(read).error());
  }
  return value;
}

// `value` as Go's json.Marshal prints the versioned type; `version` is v1, v1beta2, v1beta1 (which
// differs) or empty for the version the struct is written as. T: any whole struct of kinds.h.
template <Whole T>
std::string EncodeJson(const T& value, std::string_view version = {}) {
  return erased::EncodeJson(&value, BindingOf<T>, version);
}

// `value` without the members of these JSON names: equal for two values that agree in all the rest,
// also in what later releases add.
template <typename T>
std::string EncodeJsonWithout(const T& value, std::initializer_list<std::string_view> left_out) {
  return erased::EncodeJsonWithout(&value, BindingOf<T>, left_out);
}

// `value` as Go prints upstream's internal struct, which has no JSON tags: Go field names, nothing
// omitted. Some error texts show values so.
template <Whole T>
std::string EncodeGoStruct(const T& value) {
  return erased::EncodeGoStruct(&value, BindingOf<T>);
}

template <typename T>
Result<T> DecodeProto(std::string_view bytes) {
  T value;
  QUADRA_RETURN_IF_ERROR(erased::DecodeProto(bytes, &value, BindingOf<T>));
  return value;
}

// T: a kind, with type.kind and type.api_version set.
template <Whole T>
std::string EncodeProto(const T& value) {
  return erased::EncodeProto(&value, BindingOf<T>);
}

// The struct at a tree of its schema.
template <typename T>
T ToTyped(const Struct& schema, const Value& tree) {
  T value;
  erased::FromTree(schema, tree, &value, BindingOf<T>);
  return value;
}

// Between the two forms. REQUIRES: the object's version has the shape T is bound to (v1, v1beta2).
template <typename T>
T ToTyped(const Object& object) {
  return ToTyped<T>(*object.kind->fields, object.root);
}
template <Whole T>
Object ToObject(const T& value) {
  return {FindKind(value.type.api_version, value.type.kind), erased::ToTree(&value, BindingOf<T>)};
}

// Writes into `object` what `value` says otherwise than ToTyped<T>(object) would, and leaves all
// else as it is, byte for byte: also what T does not keep. Items of lists correspond by position,
// entries of maps by key. REQUIRES as ToTyped. Cost: one walk over T, no copy of what is equal.
template <typename T>
void Amend(Object& object, const T& value) {
  erased::Amend(*object.kind->fields, &value, BindingOf<T>, object.root);
}

}  // namespace quadra::api
