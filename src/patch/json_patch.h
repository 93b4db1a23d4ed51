// JSON patch: RFC 6902 with the ways of json-patch v4: indices from the end, replacing what is not
// there, numbers compared by their spelling, and its sentences. Private to patch/.
#pragma once

#include "json/value.h"
#include "patch/refused.h"

namespace quadra::patch {

// Refuses a patch that is no list of objects, and one with more than kMaxOperations. An operation
// that fails leaves `object` as it happens to be then.
Complaint ApplyJsonPatch(json::Value& object, json::Value patch);

}  // namespace quadra::patch
