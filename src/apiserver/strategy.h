// Strategy: what kinds other than those of resource.k8s.io add to a write of theirs, before it is
// judged and stored. What they all share is in judging; one row a kind.
#pragma once

#include "api/object.h"
#include "base/clock.h"

namespace quadra::apiserver {

// Fills in what the server decides of a new object.
void PrepareForCreate(api::Object& object);

// Puts back what a write to the object itself, not to a subresource, may not change. Both in the
// stored version.
void PrepareForUpdate(api::Object& object, const api::Object& standing);
// The same for a write of the status.
void PrepareStatus(api::Object& object, const api::Object& standing);
// What every write ends with.
void Canonicalize(api::Object& object);

// Whether a PUT that names no resourceVersion may write over what stands there.
bool AllowsUnconditionalUpdate(const api::KindSchema& kind);
// Whether a PUT creates what does not stand there yet.
bool AllowsCreateOnUpdate(const api::KindSchema& kind);

}  // namespace quadra::apiserver
