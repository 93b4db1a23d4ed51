// Place: the pods of a cluster placed one after the other, as the scheduler would as far as devices
// go. Each sees what those before it took. A door of this folder.
//
//   Placer placer(cluster, {.seed = 1}, expressions);   // a cache of expressions, to be kept
//   for (const api::Pod* pod : placer.queue().waiting) {
//     const Decision decision = placer.Place(*pod);
//     if (decision.allocated()) … decision.node, decision.claims …
//     else … decision.refusal->code, decision.sentence …
//   }
//
// Of what needs other pods, cpu, memory, other amounts and ports are looked at, as far as those pods
// are known; affinity between pods, spreading and volumes are not. Pure: no I/O, no clock. Nothing
// is written to the cluster: what is decided is in the claims of the decisions. Cost: a search a
// node and question; like pods share both, whether a node fits and why not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "allocator/allocator.h"
#include "api/kinds.h"
#include "base/clock.h"
#include "base/random.h"
#include "inventory/inventory.h"
#include "placement/case.h"
#include "placement/claim_book.h"
#include "placement/cluster.h"
#include "placement/extended_resources.h"
#include "placement/inquiry.h"
#include "placement/node_allocatable.h"
#include "placement/node_filter.h"
#include "placement/node_memo.h"
#include "placement/node_room.h"
#include "placement/pod_order.h"
#include "placement/refusals.h"
#include "reasons/refusal.h"

namespace quadra::placement {

struct PlaceOptions {
  std::optional<std::string> node = std::nullopt;  // only this one
  std::uint64_t seed = 1;                          // share ids follow from it
  std::optional<Time> now = std::nullopt;  // written as allocationTimestamp; absent: nothing is
  allocator::Placement placement = allocator::Placement::kUpstream;
  // As upstream also where we deviate on purpose: one device or node that fails then fails the pod.
  bool strict = false;
  // The view has all there is, as one of a cluster that runs: a kind of which it has nothing is
  // remarked on otherwise.
  bool whole = false;
  std::function<void()> on_search = [] {};  // called after each search on a node
};

struct ServedClaim {
  api::ResourceClaim claim;  // as it would be written
  bool written = false;      // whether the scheduler would write it: allocated or reserved anew
  bool fresh = false;        // allocated anew
};

// What became of a pod, or of claims by themselves.
struct Decision {
  const api::Pod* pod = nullptr;  // null: claims by themselves
  std::vector<ServedClaim> claims;
  std::string node;  // where; empty: nowhere
  // By name of claim: see node_allocatable.h; empty where gate DRANodeAllocatableResources is off.
  std::vector<api::NodeAllocatableResourceClaimStatus> node_allocatable;

  // Where nowhere: why.
  std::optional<reasons::Refusal> refusal;
  std::string sentence;    // the same as people are told it
  std::string elsewhere;   // upstream fails the pod: where our rules would place it; empty: nowhere
  CodeCounts nodes;        // how many said what; most first
  std::uint64_t work = 0;  // steps of all searches

  bool allocated() const { return !node.empty(); }
};

// What every node says to a case, with all its reasons; nothing is placed.
struct Examination {
  const api::Pod* pod = nullptr;            // null: claims by themselves
  std::vector<api::ResourceClaim> claims;   // as they stand, in order; what nodes add is not here
  bool wants_extended = false;              // nodes add a claim for extended resources
  std::optional<reasons::Refusal> refusal;  // what no node could change; then there are no nodes
  std::vector<NodeAnswer> nodes;            // by name
  bool nominated = false;                   // that of the pod's status fits: no other is asked
  std::optional<std::size_t> failing;       // the first of them that fails the pod on all of them
  std::uint64_t steps = 0;
  std::uint64_t evaluations =
      0;  // of expressions; what was known from earlier questions costs none
};

// What is imagined to be different, for a case to be asked once more.
struct Change {
  std::vector<api::ResourceClaim> claims;  // each in place of the one of its name
  // Keys (inventory::ClaimKey) of claims that have their devices no longer.
  std::vector<std::string> released;
  std::optional<api::Pod> pod;    // in place of the pod
  std::optional<api::Node> node;  // in place of the node of its name
};

// What would become of a case: where it would go, or what would fail it on all nodes. Neither: no
// node has what it wants, as far as that was found out.
struct Prospect {
  std::string node;
  std::optional<reasons::Refusal> failure;
  bool undecided = false;  // neither, and some node may have it: the steps did not suffice
  std::uint64_t steps = 0;
};

// Not thread-safe.
class Placer {
 public:
  // `cluster` and `expressions` must outlive this; the cluster must not change.
  Placer(Cluster& cluster, const PlaceOptions& options, selector::ExpressionCache& expressions);
  Placer(const Placer&) = delete;
  Placer& operator=(const Placer&) = delete;

  // The pods that wait, as the cluster has them.
  const PodQueue& queue() const { return queue_; }
  // Where the cluster has no nodes: see WithNodes.
  bool nodes_are_derived() const { return room_.nodes_are_derived; }
  // What was published and what is held by now.
  const inventory::Snapshot& devices() const { return *devices_; }
  const ClaimBook& claims() const { return book_; }
  const ExtendedResources& extended() const { return extended_; }
  const Cluster& cluster() const { return cluster_; }
  // Whether pods on nodes use claims that the cluster lacks: what looks free may be held.
  bool lacks_claims() const { return lacks_claims_; }
  // What makes answers uncertain, e.g. HolderUnpublished; one sentence each.
  const std::set<std::string>& remarks() const { return room_.remarks; }

  // On the node that its status nominates, else that with the best alternatives, of equally good ones
  // that with the smallest name. What it gets is taken from then on.
  Decision Place(const api::Pod& pod);
  // Claims without a pod, together on any node.
  Decision Place(std::span<const api::ResourceClaim* const> claims);
  // What Place would decide now. Nothing is taken, so others can be asked about after it.
  Decision Foresee(const api::Pod& pod);
  Decision Foresee(std::span<const api::ResourceClaim* const> claims);

  // Nodes that come after so many steps are not searched: they are undecided.
  static constexpr std::uint64_t kMostStepsToExamine = 5'000'000;
  // Likewise takes nothing.
  Examination Examine(const api::Pod& pod);
  Examination Examine(std::span<const api::ResourceClaim* const> claims);
  // What would become of the case that was examined after the change, asked in about so many steps.
  // Nothing is taken, and what was asked so far does not matter.
  Prospect ProspectAfter(const Change& change, const Examination& of, std::uint64_t most_steps);
  // How many nodes take the pod now, up to `most`. Nothing is taken.
  std::size_t CountFitting(const api::Pod& pod, std::size_t most);
  // What would have to be done for the pod to be admitted to the node that rejects it.
  Admission AdmissionTo(const api::Node& node, const api::Pod& pod) const;
  // What the pods on the node take, as the scheduler sees it when it looks at the pod.
  NodeLoad LoadOn(const std::string& node, const api::Pod& pod) const {
    return loads_.SeenBy(pod, cluster_.PriorityOf(pod), node);
  }
  // What would become of the case that was examined by upstream's rules, or by ours.
  Prospect ProspectOf(const Examination& of, bool strict);
  bool strict() const { return options_.strict; }
  allocator::Verdicts& verdicts() { return verdicts_; }

 private:
  // What asking the nodes came to: one of them and what it gives, or what all of them said.
  struct Found {
    std::size_t node = 0;
    Inquiry::Results results;  // of the pending claims, and of:
    std::optional<api::ResourceClaim> extended;
  };
  struct Asked {
    std::optional<Found> found;
    std::optional<reasons::Refusal> failure;  // one node fails the pod on all of them
    bool undecided = false;                   // neither, and not every node's answer is known
    Refusals refusals;                        // of all nodes, where none was found
    std::uint64_t work = 0;
  };
  struct Choice {
    std::optional<std::size_t> best;
    std::optional<std::size_t> failing;  // the first that fails the pod on all of them
    bool undecided = false;              // some node's answer is not known
  };

  reasons::OrRefusal<Case> CaseOf(const api::Pod& pod) const;
  Case CaseOf(std::span<const api::ResourceClaim* const> claims) const;
  // What no node could change.
  std::optional<reasons::Refusal> Refuse(const Case& asked) const;
  // Remarks on kinds of which the cluster has nothing at all, and without which the answer to the
  // case is of little use.
  void RemarkOnMissing(const Case& asked);
  Decision Decide(const api::Pod& pod);
  Decision DecideCase(Case asked);
  // Makes it so.
  void Take(const Decision& decision);
  Examination ExamineCase(Case asked);

  Asked AskNodes(const Case& asked);
  // Nothing where the node's answer does not hold for the whole allocation.
  static std::optional<Found> AllocateOn(std::size_t node, Inquiry& inquiry);
  // The nominated or else the best node and what it gives, or why that is no use; neither where all
  // of them refuse.
  static Asked FindNode(const Case& asked, Inquiry& inquiry, const Room& room);
  static Choice ChooseNode(const Case& asked, Inquiry& inquiry, std::size_t nodes);
  // Asks with a memory of its own, and takes nothing.
  Prospect AskAside(const Case& asked, const inventory::Snapshot& devices, const NodeLoads& loads,
                    bool strict, std::uint64_t most_steps = kMostStepsToExamine);
  NodeLoads LoadsWithout(const std::vector<std::string>& released) const;
  Decision Failed(const Case& asked, const Asked& nodes);
  Decision Granted(Case asked, Found found) const;
  // Finalizer, allocation and reservation, as the scheduler writes them.
  ServedClaim Serve(api::ResourceClaim claim, const api::Pod* pod,
                    std::optional<api::AllocationResult> allocation) const;
  void NoteChange(const Decision& decision);

  Cluster& cluster_;
  PlaceOptions options_;
  allocator::Verdicts verdicts_;
  inventory::Inventory world_;
  // Dropped while the world changes, so that nothing has to be copied.
  std::unique_ptr<inventory::Snapshot> devices_;
  ClaimBook book_;
  ExtendedResources extended_;
  NodeLoads loads_;
  PodQueue queue_;
  NodeMemo memo_;
  SeededRandom random_;
  Room room_;
  bool lacks_claims_ = false;
  // What all nodes said, by question and limits; forgotten when something is taken. Of a thousand
  // like pods that do not fit the second would otherwise ask every node again, if only to be told
  // what the memo has.
  struct Known {
    Refusals refusals;
    SharedRefusal nearest;
  };
  absl::flat_hash_map<std::string, Known> refused_;
  // Likewise where our rules would place what upstream fails.
  absl::flat_hash_map<std::string, std::string> elsewhere_;
};

}  // namespace quadra::placement
