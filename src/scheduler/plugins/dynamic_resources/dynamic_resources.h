// DynamicResources: pods get the devices that their claims ask for.
//
// PreFilter finds the pod's claims; Filter asks the allocator node by node, where no equal pod has
// asked that node since it changed; Reserve takes the devices in memory; PreBind writes them and
// waits for what drivers have to prepare; PostFilter gives a claim up that keeps the pod from every
// node. Codes and texts are upstream's. Without `strict` we deviate where docs/deviations.md says.
//
// Gates that are off behave as upstream's. What belongs to PodGroups is not here.
//
// Threads: the scheduler's loop. Cost of Filter: two look-ups for a node that was asked before, else
// a search of a bounded number of steps.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "reasons/refusal.h"
#include "scheduler/devices/devices.h"
#include "scheduler/devices/rivals.h"
#include "scheduler/framework/handle.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/plugins/dynamic_resources/state.h"

namespace quadra::scheduler {

struct DynamicResourcesArgs {
  std::uint64_t steps = 100'000;  // of the search on a node: what filterTimeout allows
  std::chrono::microseconds binding_timeout = std::chrono::seconds(600);
};
// filterTimeout and bindingTimeout of DynamicResourcesArgs. Ten seconds are so many steps; 0: no end.
Result<DynamicResourcesArgs> ReadDynamicResourcesArgs(const json::Value& args,
                                                      const api::FeatureGates& gates);

class DynamicResources final : public Plugin,
                               public PreEnqueuePlugin,
                               public PreFilterPlugin,
                               public FilterPlugin,
                               public PostFilterPlugin,
                               public ScorePlugin,
                               public ReservePlugin,
                               public PreBindPlugin {
 public:
  static Result<std::unique_ptr<Plugin>> Make(Handle& handle, const json::Value& args);
  DynamicResources(Handle& handle, const DynamicResourcesArgs& args);

  std::string_view name() const override { return kDynamicResources; }
  std::vector<EventHint> EventsToRegister() const override;

  Status PreEnqueue(const PodInfo& pod) const override;

  PreFilterResult PreFilter(CycleState& state, const PodInfo& pod) const override;
  bool HasExtensions() const override { return handle_.preempt_devices; }
  Status AddPod(CycleState& state, const PodInfo& pod, const PodInfo& other,
                const NodeInfo& node) const override;
  Status RemovePod(CycleState& state, const PodInfo& pod, const PodInfo& other,
                   const NodeInfo& node) const override;

  Status Filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) const override;

  PostFilterResult PostFilter(CycleState& state, const PodInfo& pod,
                              const NodeStatuses& statuses) override;

  Status Score(CycleState& state, const PodInfo& pod, const NodeInfo& node,
               std::int64_t& score) const override;
  Status Normalize(CycleState& state, const PodInfo& pod,
                   std::span<NodeScore> scores) const override;

  Status Reserve(CycleState& state, const PodInfo& pod, const std::string& node) override;
  void Unreserve(CycleState& state, const PodInfo& pod, const std::string& node) override;

  Status PreBindPreFlight(CycleState& state, const PodInfo& pod, const std::string& node) override;
  loop::Task<Status> PreBind(CycleState& state, PodInfoPtr pod, std::string node) override;

 private:
  using Fit = allocator::Allocator::Fit;

  // --- pre_enqueue.cc: the pod's claims, as they are known.
  // In the pod's order; refused in upstream's words where one is missing or not for the pod.
  reasons::OrRefusal<std::vector<ClaimPtr>> ClaimsOf(const api::Pod& pod) const;
  reasons::OrRefusal<ClaimPtr> ClaimOf(const api::Pod& pod,
                                       const api::PodResourceClaim& entry) const;

  // --- events.cc
  bool HelpsAfterClaimChange(const PodInfo& pod, const EventObjects& objects) const;
  bool WantsAllOfAny(const PodInfo& pod) const;
  bool HelpsAfterOwnChange(const EventObjects& objects) const;
  bool HelpsAfterSharersChange(const PodInfo& pod, const EventObjects& objects) const;

  // --- pre_filter.cc
  Status FindAll(const api::Pod& pod, ClaimsOfPod& found) const;
  ClaimPtr ExtendedClaimFor(const api::Pod& pod) const;
  Status Check(const PodClaim& claim, const api::Pod& pod) const;
  Status CheckClasses(const api::ResourceClaim& claim) const;
  Status CheckClass(const std::string& device_class, const std::string& request) const;
  void FindMapped(ClaimsOfPod& found) const;
  std::vector<ClaimPtr> ClaimsUsedBy(const api::Pod& pod) const;
  ImaginedDevices* Imagine(DynamicResourcesState& state) const;

  // --- filter.cc
  struct Asked {
    const inventory::Snapshot& devices;
    Variants& variants;
    // Claims to be allocated too, in a trial; null: it is none.
    const std::vector<ClaimPtr>* besides = nullptr;
  };
  Asked AskedIn(DynamicResourcesState& state) const;
  // Null where the node cannot serve the pod's extended resources.
  Variant* VariantOn(const NodeInfo& node, const api::Pod& pod, const ClaimsOfPod& found,
                     const Asked& asked) const;
  void Complete(Variant& variant, const ClaimsOfPod& found, const Asked& asked) const;
  std::vector<std::size_t> UnavailableOn(const api::Node& node, const ClaimsOfPod& found) const;
  // Whether the claim's devices can be used from the node, as far as the node is concerned.
  static bool IsWithinReach(const api::Node& node, const api::ResourceClaim& claim);
  bool IsUsableOn(const api::Node& node, const api::ResourceClaim& claim) const;
  NodeAnswers::Answer Ask(Variant& variant, const inventory::Snapshot& devices,
                          const std::string& node) const;
  Status Refuse(const NodeAnswers::Answer& answer, Variant& variant, const PodInfo& pod,
                const NodeInfo& node, const Asked& asked, ClaimsOfPod& found) const;
  Status Explained(Status status, Variant& variant, const std::string& node,
                   const inventory::Snapshot& devices, ClaimsOfPod& found) const;
  Status Allocate(Variant& variant, const inventory::Snapshot& devices, const std::string& node,
                  std::vector<api::AllocationResult>& allocations) const;
  Status FilterDevices(const PodInfo& pod, const NodeInfo& node, Grant& grant, const Asked& asked,
                       ClaimsOfPod& found) const;

  // --- node_allocatable.cc
  Status CheckSharing(const api::Pod& pod, const api::Node& node, const ClaimsOfPod& found) const;
  Status CheckNodeAllocatable(const PodInfo& pod, const NodeInfo& node, Grant& grant,
                              const ClaimsOfPod& found) const;

  // --- binding_conditions.cc
  bool FollowsBindingConditions() const;
  bool IsTimedOut(const api::ResourceClaim& claim) const;
  loop::Task<Status> AwaitConditions(std::shared_ptr<ClaimsOfPod> found, PodInfoPtr pod,
                                     std::string node);
  Status ReadyForBinding(ClaimsOfPod& found, bool& ready) const;
  // When the wait is over for the first of the claims, or for the pod at `end`.
  Time NextTimeout(const ClaimsOfPod& found, Time end) const;

  // --- post_filter.cc
  bool MayFree(const api::ResourceClaim& claim, const api::Pod& pod) const;

  // --- pre_bind.cc
  loop::Task<Status> BindClaim(std::shared_ptr<ClaimsOfPod> found, std::size_t index,
                               PodInfoPtr pod, std::string node);
  loop::Task<Status> BindClaims(std::shared_ptr<ClaimsOfPod> found, PodInfoPtr pod,
                                std::string node);
  loop::Task<Status> TellPodOfExtended(ClaimPtr claim, PodInfoPtr pod,
                                       placement::ExtendedDemand of);
  loop::Task<Status> TellPodOfNodeAllocatable(std::shared_ptr<ClaimsOfPod> found, PodInfoPtr pod,
                                              std::string node);
  void End(ClaimsOfPod& found);

  // --- reserve.cc
  // Writes what takes something from the claim. Until it is known what came of that nobody uses the
  // claim: our copy shows too much.
  loop::Task<void> TakeBack(ClaimPtr claim, loop::Task<void> write);

  // --- settling.cc: two schedulers that gave the same device.
  loop::Task<Status> Settle(std::shared_ptr<ClaimsOfPod> found, PodInfoPtr pod);
  loop::Task<Status> AwaitShown(ClaimPtr written);
  // Whether the claim has the devices that it was bound with.
  bool IsStillHeld(const PodClaim& each) const;
  std::optional<Rival> RivalOf(const PodClaim& each) const;
  // What was written for the pod, and the claim of this uid.
  loop::Task<void> GiveBack(std::shared_ptr<ClaimsOfPod> found, PodInfoPtr pod, std::string late);

  // Until the server tells something of one of the claims (inventory::ClaimKey), or that long.
  loop::Task<void> AwaitTold(std::vector<std::string> keys, std::chrono::microseconds longest);

  Handle& handle_;
  Devices& devices_;
  const DynamicResourcesArgs args_;
  absl::flat_hash_set<std::string> taken_back_;  // uids of claims, see TakeBack
};

// Upstream's "unschedulable": preemption does not help.
Status Unresolvable(std::string reason);

}  // namespace quadra::scheduler
