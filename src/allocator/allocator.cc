#include "allocator/allocator.h"

#include <algorithm>

#include <fmt/format.h>

#include "allocator/assemble.h"
#include "allocator/explain.h"
#include "allocator/placement_order.h"
#include "allocator/problem.h"
#include "allocator/search.h"

namespace quadra::allocator {
namespace {

using reasons::Code;

constexpr std::int64_t kMaxAlternatives = 8;

Allocation Told(Allocation::Result result, std::uint64_t work) {
  Allocation allocation;
  allocation.result = result;
  allocation.work = work;
  return allocation;
}

// In upstream's words.
Allocation Failed(Refusal refusal, bool fatal, std::uint64_t work) {
  Allocation allocation = Told(Allocation::Result::kError, work);
  allocation.message = refusal.message;
  allocation.fatal = fatal;
  refusal.verbatim = true;
  allocation.reasons.push_back(std::move(refusal));
  return allocation;
}

Refusal Because(Code code, std::string message) {
  return {.code = code, .message = std::move(message)};
}

// Held devices of which nobody knows what they consume of the counters that a pool shares.
std::vector<Refusal> UnpublishedHolders(const Problem& problem) {
  std::vector<Refusal> remarks;
  for (const inventory::Pool& pool : problem.pools()) {
    const inventory::Unpublished* unpublished =
        pool.counter_sets.empty() ? nullptr : problem.cluster().UnpublishedOf(pool);
    if (unpublished == nullptr) {
      continue;
    }
    for (const auto& [device, shape] : *unpublished) {
      if (shape == nullptr) {
        remarks.push_back(
            Because(Code::kHolderUnpublished,
                    fmt::format("{}/{} is allocated but not published: what it consumes of the "
                                "counters of its pool is not known",
                                pool.ToString(), device)));
      }
    }
  }
  return remarks;
}

}  // namespace

// The state between a question about a node and the answer.
class Allocator::Attempt {
 public:
  Attempt(const inventory::Snapshot& cluster, std::span<const api::ResourceClaim* const> claims,
          Verdicts& verdicts, const Options& options)
      : budget_(options.budget),
        problem_(std::make_unique<Problem>(cluster, MakePlan(cluster, claims, verdicts), verdicts,
                                           options.strict ? Rules::Upstreams() : Rules(),
                                           OrderOf(options.placement))),
        search_(*problem_, options.budget) {}

  Fit Try(const inventory::NodeView& node) {
    found_on_ = nullptr;
    search_.Reset();
    refused_ = problem_->Enter(node).has_value();
    if (refused_) {
      return Fit::kRefused;
    }
    const Search::End end = search_.Run();
    steps_ += search_.work();
    switch (end) {
      case Search::End::kFound:
        found_on_ = &node;
        return Fit::kFits;
      case Search::End::kNone:
        return Fit::kDoesNotFit;
      case Search::End::kUndecided:
        return Fit::kUndecided;
      case Search::End::kError:
        break;
    }
    return Fit::kRefused;
  }

  // What was found there last still stands: whoever tried a node and then takes it does not search
  // twice.
  Fit TryOnce(const inventory::NodeView& node) {
    return found_on_ == &node ? Fit::kFits : Try(node);
  }

  bool MayFailPod(const inventory::NodeView& node) {
    found_on_ = nullptr;
    search_.Reset();
    const bool refused = problem_->Enter(node).has_value();
    return refused ? FailsPod(true) : search_.MayMeetErrors();
  }

  // What refused before the search speaks for all nodes, unless it says otherwise.
  bool FailsPod(bool before_search) const {
    const std::optional<Refusal>& refusal = problem_->refusal();
    return !before_search || !refusal || !refusal->only_node;
  }
  bool fails_pod() const { return FailsPod(refused_); }

  Allocation Answer(Fit fit, Random& random) {
    switch (fit) {
      case Fit::kFits:
        return Found(random);
      case Fit::kDoesNotFit:
        return NotFound();
      case Fit::kUndecided:
        return Undecided();
      case Fit::kRefused:
        break;
    }
    return Refused();
  }

  std::int64_t Score() const {
    std::int64_t score = 0;
    for (std::size_t c = 0; c < problem_->claims().size(); ++c) {
      const std::vector<Request>& requests = problem_->claims()[c].requests;
      for (std::size_t r = 0; r < requests.size(); ++r) {
        if (requests[r].has_alternatives) {
          score += kMaxAlternatives - static_cast<std::int64_t>(search_.chosen()[c][r]);
        }
      }
    }
    return score;
  }

  const Problem& problem() const { return *problem_; }
  const Search& search() const { return search_; }
  std::uint64_t steps() const { return steps_; }

 private:
  Allocation Found(Random& random) {
    Allocation allocation = Told(Allocation::Result::kAllocated, search_.work());
    allocation.score = Score();
    for (std::size_t i = 0; i < problem_->claims().size(); ++i) {
      Result<api::AllocationResult> result = Assemble(*problem_, search_, i, random);
      if (!result) {
        return Failed(Because(Code::kInvalid, result.error().message), true, search_.work());
      }
      allocation.claims.push_back(*std::move(result));
    }
    return allocation;
  }

  // Upstream makes an error of invalid pools when nothing else served; we count them among the
  // reasons.
  Allocation NotFound() {
    const bool invalid = std::ranges::any_of(problem_->pools(), [](const inventory::Pool& pool) {
      return pool.state == inventory::PoolState::kInvalid;
    });
    const std::uint64_t work = search_.work();
    if (invalid && problem_->rules().node_fails_pod) {
      return Failed(Because(Code::kPoolInvalid, "invalid resource pools were encountered"), false,
                    work);
    }
    Allocation allocation = Told(Allocation::Result::kUnavailable, work);
    search_.Reset();
    Explanation explanation = Explain(*problem_, search_);
    allocation.reasons = std::move(explanation.reasons);
    steps_ += explanation.steps;
    return allocation;
  }

  Allocation Undecided() const {
    Allocation allocation = Told(Allocation::Result::kUndecided, search_.work());
    allocation.reasons.push_back(
        Because(Code::kUndecided, fmt::format("not known within the budget of {} steps", budget_)));
    return allocation;
  }

  Allocation Refused() const {
    if (!refused_) {
      return Failed(search_.error(), true, search_.work());
    }
    Refusal refusal = problem_->refusal().value_or(Refusal());
    if (!refusal.only_node) {
      return Failed(std::move(refusal), true, 0);
    }
    Allocation allocation = Told(Allocation::Result::kUnavailable, 0);
    refusal.verbatim = true;
    allocation.reasons.push_back(std::move(refusal));
    return allocation;
  }

  std::uint64_t budget_;
  std::unique_ptr<Problem> problem_;  // apart, so that malloc has room for both at hand
  Search search_;
  std::uint64_t steps_ = 0;
  bool refused_ = false;  // there was no search
  const inventory::NodeView* found_on_ = nullptr;
};

Allocator::Allocator(const inventory::Snapshot& cluster,
                     std::span<const api::ResourceClaim* const> claims, Verdicts& verdicts,
                     const Options& options)
    : attempt_(std::make_unique<Attempt>(cluster, claims, verdicts, options)) {}

Allocator::~Allocator() = default;

Allocator::Fit Allocator::Try(const inventory::NodeView& node) { return attempt_->Try(node); }

absl::InlinedVector<std::uint32_t, 8> Allocator::Picked() const {
  absl::InlinedVector<std::uint32_t, 8> picked;
  for (const std::vector<Pick>& picks : attempt_->search().picks()) {
    for (const Pick& pick : picks) {
      picked.push_back(attempt_->problem().IndexOf(pick.place));
    }
  }
  return picked;
}

std::int64_t Allocator::score() const { return attempt_->Score(); }

bool Allocator::fails_pod() const { return attempt_->fails_pod(); }

bool Allocator::MayFailPod(const inventory::NodeView& node) { return attempt_->MayFailPod(node); }

std::uint64_t Allocator::steps() const { return attempt_->steps(); }

Allocation Allocator::Allocate(const inventory::NodeView& node, Random& random) {
  Allocation allocation = attempt_->Answer(attempt_->TryOnce(node), random);
  allocation.remarks = UnpublishedHolders(attempt_->problem());
  if (allocation.result == Allocation::Result::kUnavailable ||
      allocation.result == Allocation::Result::kUndecided) {
    std::ranges::copy(allocation.remarks, std::back_inserter(allocation.reasons));
  }
  return allocation;
}

Allocation Allocate(const Question& question, Random& random) {
  Verdicts verdicts(question.expressions);
  const inventory::NodeView* node = question.cluster.ViewOf(question.node.metadata.name);
  if (node == nullptr) {
    return Failed(Because(Code::kNotModelled, fmt::format("node {} is not in the cluster",
                                                          question.node.metadata.name)),
                  false, 0);
  }
  return Allocator(question.cluster, question.claims, verdicts,
                   {.strict = question.strict, .placement = question.placement})
      .Allocate(*node, random);
}

}  // namespace quadra::allocator
