// Names of claims that are made for pods.
//
// The API server would complete metadata.generateName by chance, and whoever did not hear its answer
// would not know what it has made. So we complete it ourselves, always in the same way for the same
// need: who asks again, after a crash or beside another controller, asks for the same object and is
// told that it exists. Claims look as if the server had named them.
#pragma once

#include <cstddef>
#include <string>

#include "api/kinds.h"

namespace quadra::claims {

// POD-CLAIM- and five characters that follow from the pod's uid, the entry of its
// spec.resourceClaims and `attempt`: the next one is for where the name is somebody else's. Pure.
std::string NameOfClaim(const api::Pod& pod, const std::string& pod_claim, std::size_t attempt = 0);

}  // namespace quadra::claims
