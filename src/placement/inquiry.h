// Inquiry: one case against one state of the cluster, asked node by node.
//
// Everything that is asked of a node goes the same way: may the pod run there, which claims are to
// be served there, does the allocator find devices for them. How much is wanted of the last step
// differs: whether (remembered by question, so asked once for like pods), the reason that counts,
// or everything.
//
//   Inquiry inquiry(asked, devices, room);
//   if (inquiry.Try(node).fits) …   else … inquiry.Why(node) …
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "allocator/allocator.h"
#include "api/kinds.h"
#include "base/random.h"
#include "inventory/inventory.h"
#include "placement/case.h"
#include "placement/cluster.h"
#include "placement/extended_resources.h"
#include "placement/node_filter.h"
#include "placement/node_memo.h"
#include "placement/node_room.h"
#include "placement/refusals.h"
#include "reasons/refusal.h"

namespace quadra::placement {

// Upstream's words where a claim has its devices elsewhere.
inline constexpr std::string_view kNotAvailable = "resourceclaim not available on the node";

// What one node says.
struct NodeAnswer {
  const inventory::NodeView* view = nullptr;
  bool fits = false;
  std::int64_t score = 0;  // fits: how good the alternatives are

  // Does not fit: why the node does not take the pod, and what its devices say. Those are not asked
  // where a claim has its own elsewhere; they say nothing where only the rejection is in the way.
  std::optional<reasons::Refusal> rejection;
  std::vector<reasons::Refusal> refusals;
  bool fits_otherwise = false;  // it rejects the pod, and has the devices
  bool lacks_room = false;      // it rejects the pod for what other pods leave alone
  // Upstream then tries no other node: why, in its words.
  std::optional<reasons::Refusal> failure;
};
// The reason that counts: of a node that rejects the pod that, unless others who make room may free
// devices too. REQUIRES: it does not fit.
const reasons::Refusal& KeyReason(const NodeAnswer& answer);
Nearness NearnessOf(const NodeAnswer& answer);

// What all inquiries share.
struct Room {
  const Cluster& cluster;
  const ExtendedResources& extended;
  const NodeLoads& loads;
  allocator::Verdicts& verdicts;
  NodeMemo& memo;
  Random& random;
  // Numbered by their places here.
  std::vector<std::shared_ptr<const api::Node>> nodes;
  allocator::Placement placement = allocator::Placement::kUpstream;
  bool strict = false;                      // as upstream also where we deviate on purpose
  bool nodes_are_derived = false;           // they have neither labels nor taints to ask about
  std::set<std::string> remarks;            // what makes answers uncertain; one sentence each
  std::function<void()> on_search = [] {};  // called after each search on a node
};

// Not thread-safe.
class Inquiry {
 public:
  using Results = std::vector<api::AllocationResult>;

  // All of them must outlive this.
  Inquiry(const Case& asked, const inventory::Snapshot& devices, Room& room);

  NodeMemo::Answer Try(std::size_t node);
  // In short: of its devices one reason at most. REQUIRES: Try() said that they do not fit.
  NodeAnswer Why(std::size_t node);
  NodeAnswer Examine(std::size_t node);
  // Why the pod fails, in upstream's words. REQUIRES: Try() said that the node fails it.
  reasons::Refusal WhyItFails(std::size_t node);
  // Whether some node may fail the pod. False where the rules are ours.
  bool MayFailPod();
  // For the pending claims in order, then the extended one, if there is one there. Nothing where
  // the devices that were found cannot be written as a result after all; the node does not fit
  // from then on. REQUIRES: Try() said that they fit.
  std::optional<Results> Allocate(std::size_t node);

  // The claim for the pod's extended resources on that node; nothing where it needs none.
  // REQUIRES: Try() said that they fit.
  const std::optional<api::ResourceClaim>& ExtendedOn(std::size_t node);
  // The nodes before this one need not be asked: they will never do.
  std::size_t FirstOpen();
  std::uint64_t steps() const;  // of all searches so far
  // After so many steps no further node is searched: those are undecided.
  void StopAfter(std::uint64_t steps) { most_steps_ = steps; }
  bool stopped() const { return stopped_; }  // some node was not searched for that reason

 private:
  // The claims that are asked for on nodes that agree on the pod's extended resources.
  struct Variant {
    std::optional<api::ResourceClaim> extended;
    std::vector<const api::ResourceClaim*> pending;
    std::vector<std::string> names;  // of the pending ones, namespace/name
    // Both null where nothing is to be allocated.
    std::shared_ptr<NodeMemo::Page> page;
    std::unique_ptr<allocator::Allocator> allocator;
    std::unique_ptr<allocator::Allocator> lenient;  // made when needed
  };

  const inventory::NodeView& ViewOf(std::size_t node) const;
  // Whether there are steps for another node.
  bool MayGoOn();
  // What is to be asked there, or why that is not worth it.
  reasons::OrRefusal<Variant*> Enter(std::size_t node);
  // The same without asking whether the pod may run there.
  reasons::OrRefusal<Variant*> EnterAnyway(const api::Node& node);
  NodeMemo::Answer TryVariant(std::size_t node, Variant& variant);
  // Whether the node fails the pod though a claim of it is not available there: upstream looks for
  // devices for the others all the same.
  bool FailsAnyway(const reasons::Refusal& rejection, std::size_t node);
  // What keeps the pod away that could be changed; empty where it or its claims belong elsewhere.
  Obstacles ObstaclesOn(const api::Node& node) const;
  // A claim whose devices cannot be used there; null where there is none.
  const api::ResourceClaim* UnavailableOn(const api::Node& node) const;
  // What the node has too little of besides devices. Nothing is asked of one that the pod is on.
  Lack LackOf(const api::Node& node) const;
  // Whether only the pod or the node itself is in the way: the devices are there.
  bool FitsOtherwise(std::size_t node);
  // The answer of a node that rejects the pod, with what is in the way; without its devices'.
  NodeAnswer Rejected(reasons::Refusal refusal, std::size_t node);
  // Those to be asked besides; null where they are not worth it, or no steps are left.
  Variant* BesidesRejection(const NodeAnswer& answer, std::size_t node);
  // Of a node's devices the reason that counts.
  reasons::Refusal WhyNotDevices(std::size_t node, Variant& variant);
  // Upstream's words where the pod may not run on the node, as far as it and its claims say.
  std::string WhyNotThere(const api::Node& node) const;
  // Whether the pod is still to be placed, on nodes that are known.
  bool IsFiltered() const;
  Variant& VariantWith(std::optional<api::ResourceClaim> extended);
  std::unique_ptr<allocator::Allocator> MakeAllocator(const Variant& variant, bool strict) const;
  allocator::Allocation Ask(std::size_t node, Variant& variant);
  // The reasons of an answer that is no. Upstream's errors come without a proof: then ours.
  std::vector<reasons::Refusal> ReasonsOf(allocator::Allocation allocation, std::size_t node,
                                          Variant& variant);

  const Case& asked_;
  const inventory::Snapshot& devices_;
  Room& room_;
  const api::ResourceClaim* failed_ = nullptr;  // a claim whose binding failed, if there is one
  std::map<std::string, Variant> variants_;     // by the extended claim's spec
  std::uint64_t most_steps_ = std::numeric_limits<std::uint64_t>::max();
  bool stopped_ = false;
};

}  // namespace quadra::placement
