// Subresource: a part of an object under an address of its own: what is read there, and what a write
// there makes of the whole.
//
//   pods/p/status               shows the pod; takes its status (judging leaves out the rest)
//   pods/p/ephemeralcontainers  shows the pod; takes these containers
//   pods/p/resize               shows the pod; takes the resources of its containers and its own
//   namespaces/n/finalize       shows the namespace; takes its spec
//   deployments/d/scale         shows a Scale; takes the number of replicas
//
// Pure, thread-safe.
#pragma once

#include "apiserver/ask.h"
#include "apiserver/failure.h"

namespace quadra::apiserver {

// What the address of the ask shows of the object, in the version of the request.
api::Object ViewOf(const Ask& ask, const api::Object& standing);

// The whole object, in the version of the request, after `sent` was written to the address.
OrFailure<api::Object> Merge(const Ask& ask, api::Object sent, const api::Object& standing);

}  // namespace quadra::apiserver
