// Calls of matches, find and findAll whose pattern is compiled already.
#pragma once

#include <span>

#include "cel/functions.h"
#include "cel/go_regex.h"

namespace quadra::cel {

Value MatchesWith(const Regex& regex, CallContext& context, std::span<const Value> arguments);
Value FindWith(const Regex& regex, CallContext& context, std::span<const Value> arguments);
Value FindAllWith(const Regex& regex, CallContext& context, std::span<const Value> arguments);

}  // namespace quadra::cel
