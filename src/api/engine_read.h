// Reading slices for the engine: what upstream 1.37 reads, and the forms of design 004 that it no
// longer does. Validation uses the plain decoder, which calls them unknown.
#pragma once

#include <string_view>

#include "api/kinds.h"
#include "api/object.h"

namespace quadra::api {

// A ResourceSlice of any version, leniently. A device's `nodeAllocatableResourceMappings`
// (Kubernetes 1.36: capacityKey, allocationMultiplier) becomes `nodeAllocatableResources`, unless
// the device has that resource there already: a capacity key maps to itself with the multiplier, or
// 1; no key makes the multiplier count devices. Cost: as DecodeJson, and a second reading only for
// slices that use the old form.
Decoded<ResourceSlice> DecodeSliceForEngine(std::string_view json);

// False: the plain decoder reads the same out of these bytes, and sooner. Only searches the text.
bool MayUseOldForm(std::string_view json);

}  // namespace quadra::api
