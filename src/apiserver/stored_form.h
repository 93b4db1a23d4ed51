// StoredForm: objects as the store keeps them: JSON of the version that is stored, its
// resourceVersion a hole that the store fills, under a key that sorts as upstream's does.
//
//   key = KeyOf(kind, "team", "gpu");                     // resource.k8s.io/resourceclaims/team/gpu
//   store.Submit({.key = key, .draft = DraftOf(object)}, …);
//   api::Object object = ObjectOf(kind, *record);
//
// Pure functions, thread-safe. Cost: encoding or decoding the object once.
#pragma once

#include <string>
#include <string_view>

#include "api/object.h"
#include "store/store.h"

namespace quadra::apiserver {

// Whether this is the version that is stored (api::StoredKindOf).
bool IsStored(const api::KindSchema& kind);

// Of one object; `ns` is empty for kinds without namespaces.
std::string KeyOf(const api::KindSchema& kind, std::string_view ns, std::string_view name);
// Of a collection: of one namespace, or of all where `ns` is empty.
std::string PrefixOf(const api::KindSchema& kind, std::string_view ns);

// REQUIRES: in the version that is stored.
store::Draft DraftOf(api::Object object);
// In the version that is stored. What the store has was written by DraftOf.
api::Object ObjectOf(const api::KindSchema& kind, const store::Record& record);

// Upstream's internal struct of the kind, which error texts name: core.Pod.
std::string GoTypeOf(const api::KindSchema& kind);

// The object in another version of its kind, one that is served.
api::Object InVersion(const api::Object& object, const api::KindSchema& kind);

api::ObjectMeta MetaOf(const api::Object& object);
// Writes what differs; leaves out nothing that the struct does not know.
void SetMeta(api::Object& object, const api::ObjectMeta& meta);

}  // namespace quadra::apiserver
