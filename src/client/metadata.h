// Names and owners out of an object of any kind, without decoding what is particular to it. Private
// to src/client.
//
// Pure functions. Cost: two passes over the text, one of them over the metadata alone.
#pragma once

#include <string_view>

#include "client/resource.h"

namespace quadra::client {

// What to accept where names and owners are enough; servers that do not know it send the object.
inline constexpr std::string_view kAsMetadata =
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

// Of a PartialObjectMetadata or a whole object, leniently. What has no metadata has empty metadata.
Result<Metadata> ReadMetadata(std::string_view json);

}  // namespace quadra::client
