// Strategic merge: a patch shaped like the object, with directives, merged as the schema says: lists
// by their keys, sets of primitives as sets, the rest as a merge patch. Private to patch/.
#pragma once

#include "api/object.h"
#include "json/value.h"
#include "patch/element_order.h"
#include "patch/refused.h"
#include "patch/shape.h"
#include "patch/trees.h"

namespace quadra::patch {

// A patch that fails leaves `object` as it happens to be then. REQUIRES: `patch` is an object or
// null.
Complaint ApplyStrategicMerge(json::Value& object, json::Value patch, const api::Struct& type);

// Only schemas of custom resources nest without end; deeper ones are refused, as when they are read.
inline constexpr int kMaxMergeDepth = 1000;

// One merge. Every step changes its first argument and may empty the second. Members of objects in a
// patch are unique.
class StrategicMerge {
 public:
  Complaint MergeObjects(json::Value& original, json::Value& patch, const Shape& shape);

 private:
  Complaint MergeFields(Fields& original, Fields& patch, const Shape& shape);
  Complaint MergeField(Fields& original, std::string_view key, json::Value& value,
                       const Shape& shape);
  Complaint MergeSameType(json::Value& original, std::string_view name, json::Value& value,
                          const Shape& shape, bool deletion);
  Complaint MergeListField(json::Value& original, std::string_view name, json::Value& value,
                           const Shape& shape, bool deletion);

  // A list and its order, $setElementOrder/name; both are taken out of the patch.
  Complaint MergeOrderedList(Fields& original, Fields& patch, const std::string& directive,
                             const Shape& shape);
  // Of two lists, one of which may be absent, and in an order.
  Complaint MergeInOrder(json::Value* original, json::Value* patch, const Elements& order,
                         const Rule& rule, Elements& out);
  Complaint MergeContents(json::Value* original, json::Value* patch, const Rule& rule,
                          Elements& out, Identities& server);

  // `server` becomes the identities by which the server orders what the patch does not name, as
  // Go's slice of the original holds them afterwards. `deletion`: the patch lists what is to go.
  Complaint MergeLists(Elements& original, Elements& patch, const Rule& rule, bool deletion,
                       Identities& server);
  Complaint MergeObjectLists(Elements& original, Elements patch, const Rule& rule,
                             Identities& server);
  Complaint MergeElements(Elements& original, Elements& patch, const Rule& rule,
                          const Identities& places);

  int depth_ = 0;
};

// Removes every object with a directive from inside `tree`. False: it is such an object itself.
bool RemoveDirectives(json::Value& tree);

// What a directive asks for that is none for its place.
Refused UnknownDirective(const json::Value& directive, const json::Value& object);

}  // namespace quadra::patch
