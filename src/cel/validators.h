// Validators: what upstream checks after the types are right: that lists and maps do not mix types,
// and that literals given to duration(), timestamp(), matches() and format() make sense.
#pragma once

#include "cel/checked.h"
#include "cel/issues.h"

namespace quadra::cel {

void Validate(const CheckedAst& checked, IssueList& issues);

// Of one call of format(); calls whose text or arguments are not literal pass.
void ValidateFormat(const CheckedAst& checked, NodeId call, IssueList& issues);

}  // namespace quadra::cel
