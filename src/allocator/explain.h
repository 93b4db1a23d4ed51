// Explain: why claims do not fit a node, request by request.
//
// The same data as the search, asked differently; costs far more than a search, so it is for the
// nodes that somebody asks about.
#pragma once

#include <vector>

#include "allocator/problem.h"
#include "allocator/search.h"
#include "reasons/refusal.h"

namespace quadra::allocator {

// Every request, or alternative, that cannot be met by itself; where each could be, one that says
// what they lack together; then the pools that cannot be used. Never empty. The search must
// be one of that problem that found nothing, reset.
std::vector<reasons::Refusal> Explain(Problem& problem, Search& search);

}  // namespace quadra::allocator
