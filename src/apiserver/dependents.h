// Dependents: what a deletion wants of the objects that name its object as their owner, written as
// finalizers that a garbage collector takes off.
//
// Pure, thread-safe.
#pragma once

#include <string>

#include "api/object.h"
#include "apiserver/delete_options.h"

namespace quadra::apiserver {

// The finalizers of the object from the deletion on: those that it has, with `orphan` or
// `foregroundDeletion` last where the options ask for it, else where the object has it already, else
// where its kind orphans by default. Events have no dependents.
api::List<std::string> FinalizersForDeletion(const api::ObjectMeta& meta,
                                             const api::KindSchema& kind,
                                             const DeleteOptions& options);

}  // namespace quadra::apiserver
