// Whether a node satisfies a NodeSelector, as the scheduler decides it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/kinds.h"

namespace quadra::api {

// Terms are alternatives, the requirements of a term hold together; a term without requirements
// matches nothing, nor does a selector without terms. `metadata.name` is the only field.
bool Matches(const NodeSelector& selector, std::string_view node_name,
             const Map<std::string>& labels);

// An integer as Gt and Lt read it, in labels and in selectors: decimal, with a sign or without, of
// 64 bits; nothing else.
std::optional<std::int64_t> ReadSelectorInteger(std::string_view text);

}  // namespace quadra::api
