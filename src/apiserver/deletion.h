// Deletion: what becomes of an object that somebody wants to go: it goes at once, or it is marked and
// goes when its finalizers are done and its grace is over.
//
// Pure, thread-safe.
#pragma once

#include "apiserver/change.h"
#include "apiserver/delete_options.h"
#include "base/clock.h"

namespace quadra::apiserver {

// In the stored version. Fails with Conflict where a precondition does not hold.
OrFailure<Plan> PlanDeletion(const api::Object& standing, const DeleteOptions& options,
                             const ResourceName& resource, Time now);

}  // namespace quadra::apiserver
