// Allocator: which devices the claims of a pod get on a node; the door of this folder.
//
// Gives upstream's answer (k8s.io/dynamic-resource-allocation v0.37.1, incubating and
// experimental), and answers where upstream would run out of time. Pure: no clock, no thread, no
// global state; share ids come from the randomness handed in.
//
//   Answer answer = Allocate({.cluster = snapshot, .node = node, .claims = claims, …}, random);
//   if (answer.result == AnswerKind::kAllocated) … answer.allocations[i] …
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "allocator/explain.h"
#include "allocator/problem.h"
#include "api/kinds.h"
#include "base/random.h"

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
  std::vector<NoFit> reasons;                 // kUnavailable, kUndecided: why, never empty
  std::uint64_t work = 0;                     // steps of the search
  // kAllocated: how good the alternatives are, as upstream scores a node: 8 for each first one, 7
  // for a second and so on; 0 without firstAvailable.
  std::int64_t score = 0;
};

Allocation Allocate(const Question& question, Random& random);

}  // namespace quadra::allocator
