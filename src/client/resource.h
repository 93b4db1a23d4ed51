// Resource: where a server keeps the objects of one kind, and what those are here.
//
//   const Resource claims = ResourceOf<api::ResourceClaim>();           // resource.k8s.io/v1
//   claims.Path("team-a", "train-gpus", "status")
//     == "/apis/resource.k8s.io/v1/namespaces/team-a/resourceclaims/train-gpus/status"
//
// Kind<T> says of a plain struct which kind it is; kinds without a struct are read as api::Object
// (every field) or Metadata (names, owners, finalizers alone, of any kind).
#pragma once

#include <string>
#include <string_view>

#include "api/kinds.h"
#include "api/object.h"
#include "base/result.h"

namespace quadra::client {

struct Resource {
  std::string group;    // empty: core
  std::string version;  // v1
  std::string plural;   // resourceclaims
  std::string kind;     // ResourceClaim
  bool namespaced = true;

  // Of the collection where `name` is empty, in all namespaces where `ns` is empty too. Names are
  // escaped.
  std::string Path(std::string_view ns, std::string_view name = {},
                   std::string_view subresource = {}) const;
  std::string ApiVersion() const;  // v1, resource.k8s.io/v1

  friend bool operator==(const Resource&, const Resource&) = default;
};

// Of a kind of the tables, e.g. ResourceFor("apps/v1", "ReplicaSet"). REQUIRES: there is one with an
// endpoint.
Resource ResourceFor(std::string_view api_version, std::string_view kind);

// An object of any kind without what is particular to its kind.
struct Metadata {
  std::string api_version;
  std::string kind;
  api::ObjectMeta metadata;
};

// What tells an object and its revisions apart; views into it.
struct Marks {
  std::string_view ns;
  std::string_view name;
  std::string_view uid;
  std::string_view resource_version;
};
template <typename T>
Marks MarksOf(const T& object) {
  const api::ObjectMeta& meta = object.metadata;
  return {meta.ns, meta.name, meta.uid, meta.resource_version};
}
template <>
Marks MarksOf(const api::Object& object);

// The metadata of whatever an informer keeps; of a tree it is made anew.
template <typename T>
const api::ObjectMeta& MetaOf(const T& object) {
  return object.metadata;
}
api::ObjectMeta MetaOf(const api::Object& object);

// How the objects of a type go in and out. Specialised for: ResourceClaim, ResourceClaimTemplate,
// ResourceSlice, DeviceClass, DeviceTaintRule, Pod, Node (both read only), Namespace, PriorityClass,
// api::Object, Metadata.
template <typename T>
struct Kind;

template <>
struct Kind<api::Object> {
  static Result<api::Object> Decode(std::string_view json);
};
template <>
struct Kind<Metadata> {
  // Of a PartialObjectMetadata or of a whole object.
  static Result<Metadata> Decode(std::string_view json);
};

// A kind of the engine: decoded from any version, encoded in the one that the server has.
template <typename T>
Resource ResourceOf();

#define QUADRA_CLIENT_KIND(type)                            \
  template <>                                               \
  struct Kind<api::type> {                                  \
    static Result<api::type> Decode(std::string_view json); \
  };                                                        \
  template <>                                               \
  Resource ResourceOf<api::type>();
QUADRA_CLIENT_KIND(ResourceClaim)
QUADRA_CLIENT_KIND(ResourceClaimTemplate)
QUADRA_CLIENT_KIND(ResourceSlice)
QUADRA_CLIENT_KIND(DeviceClass)
QUADRA_CLIENT_KIND(DeviceTaintRule)
QUADRA_CLIENT_KIND(Pod)
QUADRA_CLIENT_KIND(Node)
QUADRA_CLIENT_KIND(Namespace)
QUADRA_CLIENT_KIND(PriorityClass)
#undef QUADRA_CLIENT_KIND

}  // namespace quadra::client
