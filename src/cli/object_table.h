// ObjectTable: objects of Kubernetes as rows, with the columns and cells that the API server gives
// kubectl, wherever the objects are from.
//
//   QUADRA_TRY(const ObjectRows rows, RowsOf(*api::FindKind("v1", "Pod"), pods, {.now = now}));
//
// Pure functions. Cost: a pass over the objects.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/object.h"
#include "base/clock.h"
#include "base/result.h"

namespace quadra::cli {

struct ObjectRows {
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;  // one an object, in their order
};

struct RowOptions {
  bool wide = false;
  bool namespaces = false;  // a first column NAMESPACE
  std::optional<Time> now;  // ages are unknown without it
};

// `objects`: JSON of that kind, in any of its versions.
Result<ObjectRows> RowsOf(const api::KindSchema& kind, std::span<const std::string> objects,
                          const RowOptions& options);

}  // namespace quadra::cli
