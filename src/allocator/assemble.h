// Assemble: what a search found, as the API says it.
#pragma once

#include "allocator/problem.h"
#include "allocator/search.h"
#include "api/kinds.h"
#include "base/random.h"
#include "base/result.h"

namespace quadra::allocator {

// The result of one claim: devices in the order of picking, configuration of classes then of the
// claim, and the nodes it is good for. Fails, fatally, on a selector of nodes that cannot be
// merged.
Result<api::AllocationResult> Assemble(const Problem& problem, const Search& search,
                                       std::size_t claim, Random& random);

}  // namespace quadra::allocator
