// How long a pod may stay on a node with NoExecute taints. Pure.
#pragma once

#include <chrono>
#include <optional>

#include "api/kinds.h"

namespace quadra::lifecycle {

// Those of effect NoExecute.
api::List<api::Taint> NoExecuteTaints(const api::List<api::Taint>& taints);

// From when the taints were there: zero where one of them is not tolerated; absent: for ever. Of each
// taint the first toleration that matches counts, of these the least tolerationSeconds; none or
// negative ones are zero. Lt and Gt count with `comparisons`.
// REQUIRES: there are taints.
std::optional<std::chrono::seconds> ToleratedFor(const api::List<api::Taint>& taints,
                                                 const api::List<api::Toleration>& tolerations,
                                                 bool comparisons);

}  // namespace quadra::lifecycle
