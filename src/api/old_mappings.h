// OldMappings: what a device implies of its node's own resources, in the forms that the proposal and
// Kubernetes 1.36 had for it, as 1.37 writes it.
//
//   nodeAllocatableResourceMappings: {cpu: {capacityKey: c, allocationMultiplier: "2"}}   # 1.36
//   nativeResourceMappings: {cpu: {quantityFrom: {capacity: c}}}                          # before
//   nodeAllocatableResources: {cpu: {mapping: {capacityKey: c, capacityMultiplier: "2"}}} # 1.37
//
// A capacity key maps to itself with the multiplier, or 1; without a key the multiplier counts
// devices. A resource that the device has in the new form already stays as it is there. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quadra::api {

// False: these bytes have no such form. Only searches the text.
bool MayHaveOldMappings(std::string_view json);

// The text of a ResourceSlice of any version with 1.37's form in place of the older ones; nothing
// where it has none, or is no JSON. Cost: nothing where MayHaveOldMappings is false, else one
// reading and one writing.
std::optional<std::string> RenewMappings(std::string_view json);

}  // namespace quadra::api
