// What DynamicResources remembers of one pod from PreFilter to the end of its binding.
//
// Clones share it, but for what a trial imagines: which other pods are gone, or come too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "allocator/allocator.h"
#include "api/kinds.h"
#include "inventory/inventory.h"
#include "placement/place.h"
#include "scheduler/devices/devices.h"
#include "scheduler/framework/cycle_state.h"

namespace quadra::scheduler {

inline constexpr std::string_view kDynamicResources = "DynamicResources";

// One claim of the pod.
struct PodClaim {
  ClaimPtr claim;            // as PreFilter found it; later as PreBind wrote it
  bool is_extended = false;  // the one for extended resources: not written until PreBind
  ClaimPtr decided;          // by Reserve: with finalizer and allocation; null: nothing to allocate
  bool is_in_flight = false;
  bool was_written = false;  // its allocation, by PreBind

  bool IsPending() const { return !claim->status.allocation.has_value(); }
};

// What is asked of nodes on which the pod's extended resources make the same claim.
struct Variant {
  placement::ExtendedDemand demand;
  std::optional<api::ResourceClaim> extended;       // that claim; absent: there is none
  std::vector<const api::ResourceClaim*> pending;   // all to be allocated, in the pod's order
  std::size_t besides = 0;                          // of them: of other pods, which come first
  std::vector<std::string> names;                   // theirs
  std::shared_ptr<NodeAnswers::Page> page;          // null where the devices are a trial's
  std::unique_ptr<allocator::Allocator> allocator;  // null where nothing is to be allocated
};
// By what nodes offer of the pod's extended resources. Made against one state of the devices.
using Variants = std::map<std::string, Variant>;

// What a node that passed Filter gives.
struct Grant {
  Variant* variant = nullptr;
  std::int64_t score = 0;
  // In the order of variant->pending; empty until Reserve where nobody needed them before.
  std::vector<api::AllocationResult> allocations;
  std::vector<api::NodeAllocatableResourceClaimStatus> node_allocatable;
};

struct ClaimsOfPod {
  std::vector<PodClaim> claims;  // that for extended resources last
  bool wants_extended = false;
  std::set<std::string> resources;     // that its containers ask for and that classes may serve
  std::int64_t base_score = 0;         // of alternatives that were chosen before
  std::set<std::size_t> mapped;        // claims whose devices stand for cpu or memory of the node
  std::set<std::size_t> unavailable;   // allocated claims that some node could not use
  std::size_t explained = 0;           // nodes that were asked why not
  bool told_node_allocatable = false;  // the pod's status says what it takes of its node
  Variants variants;
  std::uint64_t steps = 0;                         // of searches whose variants are gone
  absl::flat_hash_map<std::string, Grant> grants;  // by node

  bool HasPending() const;
  bool HasOwn() const { return claims.size() > (wants_extended ? 1 : 0); }
};

// The devices as they would be without what pods hold that are imagined to be gone, and what is asked
// of them besides.
struct ImaginedDevices {
  explicit ImaginedDevices(inventory::Snapshot of) : devices(std::move(of)) {}
  inventory::Snapshot devices;
  std::vector<ClaimPtr> besides;  // claims that are to be allocated there too
  Variants variants;
};

class DynamicResourcesState final : public StateData {
 public:
  explicit DynamicResourcesState(std::shared_ptr<ClaimsOfPod> of) : found(std::move(of)) {}
  std::unique_ptr<StateData> Clone() const override {
    auto copy = std::make_unique<DynamicResourcesState>(found);
    copy->gone = gone;
    copy->besides = besides;
    return copy;
  }

  const std::shared_ptr<ClaimsOfPod> found;
  // Pods that are imagined away, by uid, with the claims that they use.
  std::map<std::string, std::vector<ClaimPtr>> gone;
  // Pods that wait, and are imagined to be placed too, with the claims that they use.
  std::map<std::string, std::vector<ClaimPtr>> besides;
  std::unique_ptr<ImaginedDevices> imagined;  // null: to be made from the two
};

// Null where the pod has no claims.
ClaimsOfPod* FindClaims(const CycleState& state);

// The devices that the pod's claims have, or will have on the node that Reserve was told: each as
// driver/pool/device, claim by claim.
std::vector<std::string> DevicesIn(const CycleState& state);
// What the searches for them took, by steps of the allocator.
std::uint64_t StepsIn(const CycleState& state);

// What the pod's claims will take of the node's own resources there, as Filter found.
std::vector<api::NodeAllocatableResourceClaimStatus> NodeAllocatableOn(const CycleState& state,
                                                                       const std::string& node);

}  // namespace quadra::scheduler
