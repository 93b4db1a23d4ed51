// Shape: whether an object has the fields of the version that it names.
//
// Versions of resource.k8s.io differ in shape (v1 has requests[].exactly, v1beta1 has not), and a
// field of the wrong shape is lost to a lenient reader. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"

namespace quadra::inspection {

// Fields that the version of the object does not know, and keys that stand twice in JSON. Empty
// also for what cannot be decoded at all, and for kinds we do not have.
std::vector<api::DecodeError> ShapeProblems(std::string_view json);

// Whether that field of a device says what it takes of its node as Kubernetes 1.36 or the proposal
// did, which whoever places pods reads: spec.devices[0].nodeAllocatableResourceMappings.
bool IsOldMapping(std::string_view path, const api::Identity& identity);

// The version of the group in which the object, as it is written, has no such problem: v1. Empty
// where there is none. REQUIRES: valid JSON.
std::string_view FittingVersion(std::string_view json, const api::Identity& identity);

// What to do about a problem of that object: "; this is the shape of v1: …", or nothing.
std::string FittingVersionHint(std::string_view json, const api::Identity& identity);

}  // namespace quadra::inspection
