// Allocator: which devices the claims of a pod get on a node; the door of this folder.
//
// Gives upstream's answer (k8s.io/dynamic-resource-allocation v0.37.1, incubating and
// experimental), and answers where upstream would run out of time. Pure: no clock, no thread, no
// global state; share ids come from the randomness handed in.
//
//   Verdicts verdicts(expressions);                        // keep it: it remembers
//   Allocator allocator(snapshot, claims, verdicts, {});   // one pod
//   for (const auto& view : snapshot.views())
//     if (allocator.Try(*view) == Allocator::Outcome::kFits) …
//   Allocation allocation = allocator.Allocate(*view, random);   // with results or reasons
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "allocator/explain.h"
#include "allocator/problem.h"
#include "allocator/search.h"
#include "api/kinds.h"
#include "base/random.h"
#include "reasons/refusal.h"

namespace quadra::allocator {

struct Allocation {
  enum class Result : std::uint8_t {
    kAllocated,
    kUnavailable,  // does not fit this node
    kUndecided,    // the budget ran out before that was known
    kError,
  };
  Result result = Result::kUnavailable;
  std::vector<api::AllocationResult> claims;  // kAllocated: one a claim, in their order
  std::string message;                        // kError: upstream's words
  bool fatal = false;                         // kError: other nodes would fail alike
  std::vector<reasons::Refusal> reasons;      // why not, never empty unless kAllocated
  std::uint64_t work = 0;                     // steps of the search
  // kAllocated: how good the alternatives are, as upstream scores a node: 8 for each first one, 7
  // for a second and so on; 0 without firstAvailable.
  std::int64_t score = 0;
  // Remarks on an answer, whatever it is: kHolderUnpublished.
  std::vector<reasons::Refusal> remarks;
};

// One list of claims against one state of the cluster, asked node by node. Not thread-safe.
class Allocator {
 public:
  struct Options {
    bool strict = false;  // upstream's behaviour also where we deviate on purpose
    std::uint64_t budget = Search::kDefaultBudget;  // steps a node
  };
  // All of them must outlive this.
  Allocator(const inventory::Snapshot& cluster, std::span<const api::ResourceClaim* const> claims,
            Verdicts& verdicts, const Options& options);

  enum class Outcome : std::uint8_t { kFits, kDoesNotFit, kUndecided, kRefused };
  // Only whether they fit; nothing is assembled or explained. The views are those of the cluster.
  Outcome Try(const inventory::NodeView& node);
  // After Try() said kFits: which devices, by claim in the order of picking; and the score.
  const std::vector<std::vector<Pick>>& picks() const { return search_.picks(); }
  std::int64_t score() const;
  const Problem& problem() const { return problem_; }

  Allocation Allocate(const inventory::NodeView& node, Random& random);
  std::uint64_t steps() const { return steps_; }  // of all searches so far

 private:
  Allocation Found(Random& random);
  Allocation NotFound();
  Allocation Undecided() const;
  Allocation Refused() const;

  std::uint64_t budget_;
  Problem problem_;
  Search search_;
  std::uint64_t steps_ = 0;
  Search::Outcome outcome_ = Search::Outcome::kNone;  // of the last search
  bool refused_ = false;                              // there was no search
};

// What is asked: claims to be allocated together for a node, in a cluster.
struct Question {
  const inventory::Snapshot& cluster;
  const api::Node& node;
  std::span<const api::ResourceClaim* const> claims;
  bool strict = false;
  selector::ExpressionCache& expressions;
};
// One question by itself. Those with many nodes or many pods keep an Allocator and its Verdicts.
Allocation Allocate(const Question& question, Random& random);

}  // namespace quadra::allocator
