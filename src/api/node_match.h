// Whether a node satisfies a NodeSelector, as the scheduler decides it.
#pragma once

#include <string_view>

#include "api/kinds.h"

namespace quadra::api {

// Terms are alternatives, the requirements of a term hold together; a term without requirements
// matches nothing, nor does a selector without terms. `metadata.name` is the only field.
bool Matches(const NodeSelector& selector, std::string_view node_name,
             const Map<std::string>& labels);

}  // namespace quadra::api
