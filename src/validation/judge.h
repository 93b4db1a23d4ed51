// Judge: the API server's answer to one write of an object of any kind, from the decoded request to
// the outcome.
//
// The one place where defaults, conversion to the engine's shape and validation meet; files,
// streams and servers all come through here. Pure, thread-safe. Cost: a copy of the object, and one
// more where it is not moved in, beside the rules themselves.
//
//   if (CoverageOf(*object.kind) != Coverage::kNone) {
//     const Outcome outcome = Judge({.gates = gates, .now = clock.Now()}, object);
//   }
#pragma once

#include <cstdint>

#include "api/object.h"
#include "validation/validate.h"

namespace quadra::validation {

// How much of a kind we judge.
enum class Coverage : std::uint8_t {
  kNone,
  kDraOnly,  // fields of dynamic resource allocation, in Pods and what makes Pods
  kAll,
};
Coverage CoverageOf(const api::KindSchema& kind);
// Whether writes through the status subresource of a covered kind are judged.
bool JudgesStatus(const api::KindSchema& kind);

// `request.version` is ignored: it is that of `object`, which is decoded but neither defaulted nor
// converted. `old` is the stored object, in any version. REQUIRES: CoverageOf the object's kind is
// not kNone; `old` is given for updates, has the same kind, and is null for creates; a status write
// is of a kind with a status.
Outcome Judge(Request request, api::Object object, const api::Object* old = nullptr);

}  // namespace quadra::validation
