// OldProtoMappings: what a device takes of its node, in the field that protobuf had for it in Kubernetes
// 1.36 and that 1.37 passes over: clients made of its libraries send slices in protobuf.
//
// Pure, thread-safe. Cost: one pass over the lengths of the message's fields.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/object.h"

namespace quadra::apiserver {

// The JSON of a ResourceSlice with what protobuf says in that field as JSON said it then
// (nodeAllocatableResourceMappings); nothing where no device has it. `slice` is what was decoded from
// `bytes`, the message in its envelope.
std::optional<std::string> WithOldProtoMappings(std::string_view bytes, const api::Object& slice);

}  // namespace quadra::apiserver
