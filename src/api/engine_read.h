// Reading slices for the engine: what upstream 1.37 reads, and the forms of design 004 that it no
// longer does. Validation uses the plain decoder, which calls them unknown.
#pragma once

#include <string_view>

#include "api/kinds.h"
#include "api/object.h"

namespace quadra::api {

// A ResourceSlice of any version, leniently, with older forms of what its devices imply of their node
// made 1.37's (old_mappings.h). Cost: as DecodeJson, and a second reading only for slices that use
// an older form. `assumed`: the kind where the bytes do not say; may be null.
Decoded<ResourceSlice> DecodeSliceForEngine(std::string_view json,
                                            const KindSchema* assumed = nullptr);

}  // namespace quadra::api
