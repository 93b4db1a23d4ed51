// Bodies of the patches by which the garbage collector changes owners and finalizers of objects of
// any kind. Private to src/lifecycle.
//
// Where servers can, a strategic merge patch takes single owners out, whatever else has changed;
// custom resources cannot, so that the whole list is written, of a known revision.
// Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"

namespace quadra::lifecycle {

// Strategic: the owners of these uids go. Fails with Conflict where the object has another uid.
std::string WithoutOwners(std::string_view uid, std::span<const std::string> owner_uids);
// Strategic: these owners no longer wait for the object.
std::string Unblocking(std::string_view uid, std::span<const api::OwnerReference> owners);

// Merge: the object's owners are these. Fails with Conflict at another revision.
std::string WithOwners(const api::ObjectMeta& seen, std::span<const api::OwnerReference> owners);
// Merge: all finalizers but this one.
std::string WithoutFinalizer(const api::ObjectMeta& seen, std::string_view finalizer);

}  // namespace quadra::lifecycle
