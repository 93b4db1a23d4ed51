// Conversion between the versions of a group. Versions agree field by field, by JSON name, except
// where resource.k8s.io/v1beta1 nests differently; those few shapes are the rows of convert.cc.
// Private to api/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/schema.h"
#include "api/value.h"

namespace quadra::api {

// The struct of the same name in another version of its package, or the struct itself when there is
// none (meta and core types are shared by all versions).
const Struct* SiblingIn(const Struct& schema, std::string_view version);

// `tree`, which has the shape `from`, in the shape `to`. Paths without a place in `to` are added to
// `lost`.
Value ConvertTree(const Struct& from, const Struct& to, const Value& tree,
                  std::vector<std::string>* lost);

}  // namespace quadra::api
