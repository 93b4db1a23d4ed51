// Unchecked: what a parsed expression means when nobody checks its types: every operand is dyn and
// every overload of a function remains possible.
//
// Only tests of the language's specification ask for it; everything else checks.
#pragma once

#include <memory>

#include "cel/checked.h"

namespace quadra::answers {

// `environment` gets a variable for each name that it does not know; those have no value.
std::unique_ptr<cel::CheckedAst> Unchecked(cel::Environment& environment,
                                           std::unique_ptr<cel::Ast> ast);

}  // namespace quadra::answers
