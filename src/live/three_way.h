// ThreeWay: what must change in an object so that it says what a manifest says: the patch of
// `kubectl apply`. Private to src/live.
//
// Of the object counts what the manifest says; what the manifest said when it was applied last and
// says no more is taken away; what others wrote stays. Lists whose items have a key in the schema
// are merged by it; all others count as a whole.
//
// Pure. Cost: linear, but quadratic in the length of lists that have keys.
#pragma once

#include "api/object.h"
#include "json/value.h"

namespace quadra::live {

struct ThreeWay {
  const json::Value& applied;  // as it was applied last; an empty object where it was not
  const json::Value& wanted;   // as it is to be
  const json::Value& current;  // as it is
};

// A strategic merge patch; without `schema`, for kinds that are not known, one that is a merge patch
// too. An empty object where nothing must change.
json::Value PatchFor(const ThreeWay& sides, const api::Struct* schema);

}  // namespace quadra::live
