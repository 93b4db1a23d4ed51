// Rewriting: the common course of update and patch: from what stands there and what was sent to what
// is stored, until nobody was faster.
#pragma once

#include <functional>

#include "apiserver/ask.h"
#include "apiserver/failure.h"
#include "apiserver/pending.h"
#include "apiserver/request_options.h"

namespace quadra::apiserver {

// The object that is wanted, in the version of the request, given the one that stands there, in the
// version that is stored.
using Wanted = std::function<OrFailure<api::Object>(const api::Object& standing)>;

// Whether the object is the one of the address. Fails with BadRequest.
OkOrFailure CheckName(const api::ObjectMeta& meta, const ResourcePath& path);

// Answers the request. An object that is being deleted and has lost its last finalizer goes.
void Rewrite(const Backend& backend, const PendingPtr& pending, const WriteOptions& options,
             Wanted wanted);

}  // namespace quadra::apiserver
