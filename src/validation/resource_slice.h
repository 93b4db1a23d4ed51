// ResourceSlice: the parts its rules fall into. The rules of a slice as a whole are in
// resource_slice.cc.
#pragma once

#include <cstddef>
#include <string>

#include "api/kinds.h"
#include "api/vocabulary.h"
#include "validation/declarative.h"
#include "validation/field_error.h"
#include "validation/formats.h"
#include "validation/path.h"
#include "validation/strategy.h"
#include "validation/validate.h"

namespace quadra::validation {

// Keys of attributes and capacities in paths: domain, slash, identifier.
inline constexpr std::size_t kMaxShownKey = api::kMaxDomainLength + 1 + api::kMaxIdentifierLength;

// Takes out what gates forbid. A feature that `old` uses anywhere stays allowed everywhere.
void DropGatedFields(const Request& request, api::ResourceSlice& slice,
                     const api::ResourceSlice* old, Dropped& dropped);

// `old`: the stored device of that name; its capacity and taints are not judged again when they
// stay the same. `node_per_device`: devices choose their nodes, not the slice.
void CheckDevice(ErrorList& errors, const Path& path, const api::Device& device,
                 const api::Device* old, bool node_per_device, const FeatureGates& gates);

void CheckAttributes(ErrorList& errors, const Path& path,
                     const api::Map<api::DeviceAttribute>& attributes);

void CheckCapacity(ErrorList& errors, const Path& path, const api::Device& device,
                   const FeatureGates& gates);

// Rules of slices and DeviceTaintRules alike. The effect is not judged again when `old` has the
// same.
void CheckTaint(ErrorList& errors, const Path& path, const api::DeviceTaint& taint,
                const api::DeviceTaint* old);

// `counters` of a set or of what a device consumes: at most 32, with names.
void CheckCounters(ErrorList& errors, const Path& path, const api::Map<api::Counter>& counters);

void CheckNodeAllocatableResources(ErrorList& errors, const Path& path, const api::Device& device);

void DeclareSlice(const Site& site, const api::ResourceSlice& slice, const api::ResourceSlice* old);

// Each entry of a map, at a path with its key; keys are judged by `check_key` at the map itself.
template <typename T, typename CheckKey, typename CheckValue>
void CheckEntries(ErrorList& errors, const Path& path, const api::Map<T>& map, CheckKey check_key,
                  CheckValue check_value) {
  for (const auto& [key, value] : map) {
    const std::string shown = ShortenedKey(key, kMaxShownKey);
    check_key(errors, path, key);
    check_value(path.Key(shown), value);
  }
}

}  // namespace quadra::validation
