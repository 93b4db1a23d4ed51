// Explain: /quadra/explain/NAMESPACE/POD, which no kube-apiserver has: what the scheduler remembers of
// its last attempt on a pod.
#pragma once

#include "apiserver/ask.h"

namespace quadra::apiserver {

// Whether the path was that one, and there is a scheduler to be asked; it was answered then, or will
// be. A name that no pod can have is not asked about.
bool ServeExplanation(const Backend& backend, const Ask& ask, net::Exchange& exchange);

}  // namespace quadra::apiserver
