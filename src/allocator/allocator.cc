#include "allocator/allocator.h"

#include <algorithm>

#include <fmt/format.h>

#include "allocator/assemble.h"
#include "allocator/search.h"

namespace quadra::allocator {
namespace {

Allocation Refused(std::string message, bool fatal, std::uint64_t work) {
  return {.result = Allocation::Result::kError,
          .claims = {},
          .message = std::move(message),
          .fatal = fatal,
          .reasons = {},
          .work = work};
}

constexpr std::int64_t kMaxAlternatives = 8;

std::int64_t ScoreOf(const Problem& problem, const Search& search) {
  std::int64_t score = 0;
  for (std::size_t c = 0; c < problem.claims().size(); ++c) {
    const std::vector<Request>& requests = problem.claims()[c].requests;
    for (std::size_t r = 0; r < requests.size(); ++r) {
      if (requests[r].has_alternatives) {
        score += kMaxAlternatives - static_cast<std::int64_t>(search.chosen()[c][r]);
      }
    }
  }
  return score;
}

Allocation Found(const Problem& problem, const Search& search, Random& random) {
  Allocation allocation{.result = Allocation::Result::kAllocated,
                        .claims = {},
                        .message = "",
                        .work = search.work(),
                        .score = ScoreOf(problem, search)};
  for (std::size_t i = 0; i < problem.claims().size(); ++i) {
    Result<api::AllocationResult> result = Assemble(problem, search, i, random);
    if (!result) {
      return Refused(result.error().message, true, search.work());
    }
    allocation.claims.push_back(*std::move(result));
  }
  return allocation;
}

// Upstream makes an error of invalid pools when nothing else served; we count them among the
// reasons.
Allocation NotFound(Problem& problem, const Search& search) {
  const bool invalid = std::ranges::any_of(problem.pools(), [](const inventory::Pool& pool) {
    return pool.state == inventory::PoolState::kInvalid;
  });
  if (invalid && problem.question().strict) {
    return Refused("invalid resource pools were encountered", false, search.work());
  }
  return {.result = Allocation::Result::kUnavailable,
          .claims = {},
          .message = "",
          .reasons = Explain(problem),
          .work = search.work()};
}

Allocation Undecided(const Search& search) {
  NoFit reason{.code = Code::kUndecided,
               .claim = "",
               .request = "",
               .message = fmt::format("no answer within {} steps", Search::kDefaultBudget)};
  return {.result = Allocation::Result::kUndecided,
          .claims = {},
          .message = "",
          .reasons = {std::move(reason)},
          .work = search.work()};
}

}  // namespace

Allocation Allocate(const Question& question, Random& random) {
  Result<Problem> problem = Problem::Build(question);
  if (!problem) {
    return Refused(problem.error().message, true, 0);
  }
  Search search(*problem);
  switch (search.Run()) {
    case Search::Outcome::kFound:
      return Found(*problem, search, random);
    case Search::Outcome::kNone:
      return NotFound(*problem, search);
    case Search::Outcome::kUndecided:
      return Undecided(search);
    case Search::Outcome::kError:
      return Refused(search.error(), true, search.work());
  }
  return {};
}

}  // namespace quadra::allocator
