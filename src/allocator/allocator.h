// Allocator: which devices the claims of a pod get on a node; the door of this folder.
//
// Gives upstream's answer (k8s.io/dynamic-resource-allocation v0.37.1, incubating and
// experimental), and answers where upstream would run out of time. Pure: no clock, no thread, no
// global state; share ids come from the randomness handed in.
//
//   Verdicts verdicts(expressions);                        // keep it: it remembers
//   Allocator allocator(snapshot, claims, verdicts, {});   // one pod
//   for (const auto& view : snapshot.views())
//     if (allocator.Try(*view) == Allocator::Fit::kFits) …
//   Allocation allocation = allocator.Allocate(*view, random);   // with results or reasons
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "allocator/verdicts.h"
#include "api/kinds.h"
#include "base/random.h"
#include "inventory/inventory.h"
#include "reasons/refusal.h"

namespace quadra::allocator {

// In which order the devices of a node are tried; the first complete choice is taken.
enum class Placement : std::uint8_t {
  kUpstream,  // as published: what Kubernetes' scheduler would give
  kBestFit,   // what costs others least first: small devices, full ones, partitions kept whole
  kLast = kBestFit,
};
// upstream, best-fit; nothing for another name.
std::optional<Placement> PlacementNamed(std::string_view name);

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

// One list of claims against one state of the cluster, asked node by node. Not thread-safe. What
// does not depend on the node is done once, when it is made: keep it for all nodes of a pod.
class Allocator {
 public:
  struct Options {
    bool strict = false;  // upstream's behaviour also where we deviate on purpose
    Placement placement = Placement::kUpstream;
    std::uint64_t budget = 100'000;  // steps a node
  };
  // All of them must outlive this.
  Allocator(const inventory::Snapshot& cluster, std::span<const api::ResourceClaim* const> claims,
            Verdicts& verdicts, const Options& options);
  ~Allocator();
  Allocator(const Allocator&) = delete;
  Allocator& operator=(const Allocator&) = delete;

  enum class Fit : std::uint8_t { kFits, kDoesNotFit, kUndecided, kRefused };
  // Only whether they fit; nothing is assembled or explained, which makes it many times cheaper
  // than Allocate(). The views are those of the cluster, or of a cluster that it was forked from
  // and that publishes the same devices on the same nodes.
  Fit Try(const inventory::NodeView& node);
  // After Try() said kFits: the devices as indices of the view's candidates, in the order of
  // picking; and the score.
  absl::InlinedVector<std::uint32_t, 8> Picked() const;
  std::int64_t score() const;
  // After Try() said kRefused: whether upstream would try no other node either.
  bool fails_pod() const;
  // Whether Try() may ever meet something there that fails the pod, whatever is taken by then. Only
  // if strict. Cost: each device of the node, for each request.
  bool MayFailPod(const inventory::NodeView& node);

  Allocation Allocate(const inventory::NodeView& node, Random& random);
  std::uint64_t steps() const;  // of all searches so far, those for explanations too

 private:
  // Plan, search and what came of it: this folder's own affair.
  class Attempt;
  std::unique_ptr<Attempt> attempt_;
};

// What is asked: claims to be allocated together for a node, in a cluster.
struct Question {
  const inventory::Snapshot& cluster;
  const api::Node& node;
  std::span<const api::ResourceClaim* const> claims;
  bool strict = false;
  Placement placement = Placement::kUpstream;
  selector::ExpressionCache& expressions;
};
// One question by itself. Those with many nodes or many pods keep an Allocator and its Verdicts.
Allocation Allocate(const Question& question, Random& random);

}  // namespace quadra::allocator
