// What people see of an expression that does not compile: the text, a caret under the place, and
// the name they probably meant.
#pragma once

#include <string>

#include "cel/checked.h"
#include "selector/expression.h"

namespace quadra::selector {

// Where an issue is, e.g. "1:24: "; empty for limits on the whole expression, which have no place.
std::string PlaceOf(const cel::Issue& issue);

// Several lines, the first without "error: ". `what` names the expression, e.g. "the expression" or
// "class gpu: selector #0". REQUIRES: it has an error.
std::string ShowCompileError(const std::string& what, const Expression& expression,
                             const Language& language);

}  // namespace quadra::selector
