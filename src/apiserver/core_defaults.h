// CoreDefaults: what decoding fills in where a field was left out, in kinds other than those of
// resource.k8s.io: the image pull policy of a container, the strategy of a deployment. The schema
// tables have the defaults that OpenAPI tells of; these are the others.
//
//   ApplyCoreDefaults(object);  // after decoding, and again after a patch
//
// Applying them twice is as good as once. Pure, thread-safe. Cost: a walk over the object's structs.
#pragma once

#include "api/object.h"

namespace quadra::apiserver {

void ApplyCoreDefaults(api::Object& object);

}  // namespace quadra::apiserver
