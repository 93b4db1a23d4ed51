// Place: the pods of a dump placed one after the other, as the scheduler would as far as devices
// go. Each sees what those before it took. A door of this folder.
//
//   Placer placer(dump, {.seed = 1}, expressions);   // a cache of expressions, to be kept
//   for (const api::Pod* pod : placer.queue().waiting) {
//     const Outcome outcome = placer.Place(*pod);
//     if (outcome.allocated()) … outcome.node, outcome.claims … else … outcome.code, outcome.reason
//   }
//
// cpu, memory and whatever else needs other pods is not looked at. Pure: no I/O, no clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "allocator/allocator.h"
#include "api/kinds.h"
#include "base/clock.h"
#include "base/random.h"
#include "inventory/inventory.h"
#include "offline/claim_book.h"
#include "offline/dump.h"
#include "offline/examine.h"
#include "offline/extended_resources.h"
#include "offline/pods.h"
#include "offline/verdict.h"
#include "offline/verdict_memo.h"

namespace quadra::offline {

struct PlaceOptions {
  std::optional<std::string> node = std::nullopt;  // only this one
  std::uint64_t seed = 1;                          // share ids follow from it
  std::optional<Time> now = std::nullopt;  // written as allocationTimestamp; absent: nothing is
};

struct ServedClaim {
  api::ResourceClaim claim;  // as it would be written
  bool written = false;      // whether the scheduler would write it: allocated or reserved anew
};

struct Outcome {
  const api::Pod* pod = nullptr;  // null: claims by themselves
  std::vector<ServedClaim> claims;
  std::string node;  // where; empty: nowhere
  // See AddNodeResources; empty where nobody asked.
  std::vector<api::NodeAllocatableResourceClaimStatus> node_allocatable;

  // Where nowhere: why. Without a code the question was wrong, and `reason` says how.
  std::optional<reasons::Code> code;
  std::string reason;                                        // a sentence
  std::vector<std::pair<reasons::Code, std::size_t>> nodes;  // how many said what; most first
  std::uint64_t work = 0;                                    // steps of all searches

  bool allocated() const { return !node.empty(); }
};

// Not thread-safe.
class Placer {
 public:
  // `dump` and `expressions` must outlive this; the dump must not change.
  Placer(Dump& dump, const PlaceOptions& options, selector::ExpressionCache& expressions);

  // The pods that wait, as the dump has them.
  const PodQueue& queue() const { return queue_; }
  // By name. Where the dump has no nodes: those that its slices name, or else one called `any`.
  const std::vector<std::shared_ptr<const api::Node>>& nodes() const { return nodes_; }
  bool nodes_are_derived() const { return nodes_are_derived_; }
  // What was published and what is held by now.
  const inventory::Snapshot& cluster() const { return *cluster_; }
  const ClaimBook& claims() const { return book_; }
  // What makes answers uncertain, e.g. HolderUnpublished; one sentence each.
  const std::set<std::string>& remarks() const { return remarks_; }

  // On the node with the best alternatives, of equally good ones that with the smallest name. What
  // it gets is taken from then on.
  Outcome Place(const api::Pod& pod);
  // Claims without a pod, together on any node.
  Outcome Place(std::span<const api::ResourceClaim* const> claims);

  // What every node says, with all its reasons; nothing is placed.
  Examination Examine(const api::Pod& pod);
  Examination Examine(std::span<const api::ResourceClaim* const> claims);
  allocator::Verdicts& verdicts() { return verdicts_; }

 private:
  // What is to be placed: the claims of a pod, and what asks for them.
  struct Case {
    const api::Pod* pod = nullptr;
    std::vector<api::ResourceClaim> claims;
    bool wants_extended = false;
    std::string question;         // equal for cases that want the same devices
    std::string limits;           // equal for cases that may run on the same nodes
    std::int64_t best_score = 0;  // no node can have a better one
  };
  // The claims that are asked for on nodes that agree on the pod's extended resources.
  struct Variant {
    std::optional<api::ResourceClaim> extended;
    std::vector<const api::ResourceClaim*> pending;
    std::vector<std::string> titles;
    // Null where nothing is to be allocated.
    std::shared_ptr<VerdictMemo::Page> page;
    std::unique_ptr<allocator::Allocator> allocator;
  };
  using Results = std::vector<api::AllocationResult>;
  using Variants = std::map<std::string, Variant>;  // by the extended claim's spec

  void CollectNodes();
  static std::uint64_t StepsOf(const Variants& variants);
  const inventory::NodeView& ViewOf(std::size_t node) const;
  Case CaseOf(const api::Pod* pod, std::vector<api::ResourceClaim> claims) const;
  std::optional<Outcome> RefusePod(const api::Pod& pod) const;
  std::optional<Outcome> Refuse(const Case& asked) const;
  Outcome PlaceCase(Case asked);
  Examination ExamineCase(Case asked);
  NodeAnswer AskNode(const Case& asked, std::size_t node, Variants& variants);
  // Upstream's words where the pod may not run on the node, as far as it and its claims say.
  std::string_view WhyNotThere(const Case& asked, const api::Node& node) const;
  // Null where neither classes nor device plugins of the node serve the pod's extended resources.
  Variant* VariantFor(const Case& asked, const api::Node& node, Variants& variants);
  VerdictMemo::Answer Try(const Case& asked, std::size_t node, Variants& variants);
  // REQUIRES: Try() said that they do not fit.
  Verdict Explain(const Case& asked, std::size_t node, Variants& variants);
  std::optional<std::size_t> ChooseNode(const Case& asked, Variants& variants);
  Outcome Refusal(const Case& asked, Variants& variants);
  static Outcome OutcomeOf(const Case& asked, const Refusals& refusals);
  std::optional<Results> Allocate(std::size_t node, Variant& variant);
  Outcome Commit(Case& asked, std::size_t node, Variants& variants, Variant& variant,
                 Results results);
  ServedClaim Serve(api::ResourceClaim claim, const api::Pod* pod,
                    std::optional<api::AllocationResult> allocation);
  void NoteChange(const api::AllocationResult& allocation, std::size_t node);
  void NoteRemarks(const allocator::Allocation& allocation);

  const Dump& dump_;
  PlaceOptions options_;
  allocator::Verdicts verdicts_;
  inventory::Inventory world_;
  // Dropped while the world changes, so that nothing has to be copied.
  std::unique_ptr<inventory::Snapshot> cluster_;
  std::vector<std::shared_ptr<const api::Node>> nodes_;
  bool nodes_are_derived_ = false;
  ClaimBook book_;
  ExtendedResources extended_;
  PodQueue queue_;
  VerdictMemo memo_;
  // Of all nodes, by question and limits; forgotten when something is taken.
  absl::flat_hash_map<std::string, Refusals> refusals_;
  SeededRandom random_;
  std::set<std::string> remarks_;
};

}  // namespace quadra::offline
