// Explain: why claims do not fit a node, request by request.
//
// The same data as the search, asked differently; costs far more than a search, so it is for the
// nodes that somebody asks about.
#pragma once

#include <cstdint>
#include <vector>

#include "allocator/problem.h"
#include "allocator/search.h"
#include "reasons/refusal.h"

namespace quadra::allocator {

struct Explanation {
  std::vector<reasons::Refusal> reasons;
  std::uint64_t steps = 0;  // of searches for what would be otherwise
};
// Every request, or alternative, that cannot be met by itself; where each could be, one that says
// what they lack together; then the pools that cannot be used. Never empty. The search must
// be one of that problem that found nothing, reset.
Explanation Explain(Problem& problem, Search& search);

}  // namespace quadra::allocator
