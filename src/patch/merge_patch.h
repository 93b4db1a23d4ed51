// Merge patch: RFC 7386, with json-patch's ways where the RFC leaves or breaks them. Private to
// patch/.
#pragma once

#include "json/value.h"
#include "patch/refused.h"

namespace quadra::patch {

// Members of `patch` replace those of `object`, null removes, objects merge. A list of the patch
// that replaces something keeps the nulls in its elements; one that is new loses them. A patch that
// is a list becomes the object. Does not recurse.
Complaint ApplyMergePatch(json::Value& object, json::Value patch);

}  // namespace quadra::patch
