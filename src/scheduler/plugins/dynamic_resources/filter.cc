// Whether a node has the pod's devices: those that its claims have, and those that they ask for.

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "api/object.h"
#include "placement/pod_claims.h"
#include "scheduler/plugins/dynamic_resources/dynamic_resources.h"

namespace quadra::scheduler {
namespace {

using Result = allocator::Allocation::Result;

// Why not is told of so many nodes; it costs a search of its own.
constexpr std::size_t kExplained = 8;

constexpr std::string_view kOptionalNodeOperations = "DRAOptionalNodeOperations";

bool SkipsNodeOperations(const api::ResourceClaim& claim) {
  return std::ranges::any_of(claim.status.allocation->devices.results, [](const auto& result) {
    return !result.skip_node_operations.empty();
  });
}

bool Declares(const api::Node& node, std::string_view feature) {
  return std::ranges::find(node.status.declared_features, feature) !=
         node.status.declared_features.end();
}

// Whether somebody less important holds devices there, perhaps.
bool MayPreempt(const PodInfo& pod, const NodeInfo& node) {
  return std::ranges::any_of(node.pods(), [&](const PodInfoPtr& other) {
    return other->priority < pod.priority && (!other->pod.spec.resource_claims.empty() ||
                                              other->pod.status.extended_resource_claim_status);
  });
}

// Which of the resources the node's device plugins offer, a letter each: none, zero or some.
std::string OfferText(const api::Node& node, const std::set<std::string>& resources) {
  std::string text;
  for (const std::string& resource : resources) {
    const api::Quantity* const offered = placement::AllocatableOf(node).Find(resource);
    text += offered == nullptr ? '-' : (offered->IsZero() ? '0' : '1');
  }
  return text;
}

// Claims of other pods that come first; one that the pod shares is its own.
void AddOthers(const std::vector<ClaimPtr>& others, const ClaimsOfPod& found, Variant& variant) {
  for (const ClaimPtr& claim : others) {
    if (std::ranges::find(found.claims, claim, &PodClaim::claim) == found.claims.end()) {
      variant.pending.push_back(claim.get());
    }
  }
  variant.besides = variant.pending.size();
}

void AddPending(const PodClaim& each, Variant& variant) {
  if (!each.IsPending() || (each.is_extended && variant.demand.requests.empty())) {
    return;
  }
  const api::ResourceClaim* pending = each.claim.get();
  if (each.is_extended) {
    pending = &variant.extended.emplace(*each.claim);
    for (const api::DeviceRequest& request : variant.demand.requests) {
      variant.extended->spec.devices.requests.push_back(request);
    }
  }
  variant.pending.push_back(pending);
  variant.names.push_back(api::FullNameOf(*pending));
}

// Equal for pods that want the same devices. Profiles may allow searches of different lengths.
std::string QuestionOf(const Variant& variant, std::uint64_t steps) {
  std::string question = fmt::format("{}\n", steps);
  for (const api::ResourceClaim* const claim : variant.pending) {
    question += api::EncodeJson(claim->spec) + "\n";
  }
  return question;
}

bool HasInvalidPool(const inventory::NodeView& node) {
  return std::ranges::any_of(node.pools, [](const inventory::Pool& pool) {
    return pool.state == inventory::PoolState::kInvalid;
  });
}

const Status& CannotAllocate(bool may_preempt) {
  static const Status kFinal = Unresolvable("cannot allocate all claims");
  static const Status kForNow(Code::kUnschedulable, "cannot allocate all claims");
  return may_preempt ? kForNow : kFinal;
}

}  // namespace

Status DynamicResources::Filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) const {
  auto* const mine = state.Read<DynamicResourcesState>(name());
  if (mine == nullptr || mine->found->claims.empty()) {
    return {};
  }
  ClaimsOfPod& found = *mine->found;
  const bool stale =
      found.wants_extended && !found.claims.back().claim->spec.devices.requests.empty();
  if (stale) {
    return Unresolvable("cannot schedule extended resource claim");
  }
  const Asked asked = AskedIn(*mine);
  Grant grant{.variant = VariantOn(node, pod.pod, found, asked)};
  if (grant.variant == nullptr) {
    return Unresolvable("cannot fit resource");
  }
  if (grant.variant->demand.requests.empty() && !found.HasOwn()) {
    return {};
  }
  Status status = FilterDevices(pod, node, grant, asked, found);
  if (status.ok() && asked.besides == nullptr) {
    found.grants.insert_or_assign(node.name(), std::move(grant));
  }
  return status;
}

Status DynamicResources::FilterDevices(const PodInfo& pod, const NodeInfo& node, Grant& grant,
                                       const Asked& asked, ClaimsOfPod& found) const {
  static const Status kUnavailable = Unresolvable(std::string(placement::kNotAvailable));
  const std::vector<std::size_t> unavailable = UnavailableOn(node.node(), found);
  const bool counts_node = handle_.gates.Enabled(api::Gate::kDRANodeAllocatableResources);
  if (Status status = counts_node ? CheckSharing(pod.pod, node.node(), found) : Status();
      !status.ok()) {
    return status;
  }
  if (!handle_.strict && !unavailable.empty()) {
    found.unavailable.insert(unavailable.begin(), unavailable.end());
    return kUnavailable;
  }
  if (grant.variant->allocator != nullptr) {
    const NodeAnswers::Answer answer = Ask(*grant.variant, asked.devices, node.name());
    if (answer.fit != Fit::kFits) {
      return Refuse(answer, *grant.variant, pod, node, asked, found);
    }
    grant.score = answer.score;
    if (handle_.strict || counts_node) {
      Status status = Allocate(*grant.variant, asked.devices, node.name(), grant.allocations);
      if (!status.ok()) {
        return status;
      }
    }
  }
  if (Status status = counts_node ? CheckNodeAllocatable(pod, node, grant, found) : Status();
      !status.ok()) {
    return status;
  }
  found.unavailable.insert(unavailable.begin(), unavailable.end());
  return unavailable.empty() ? Status() : kUnavailable;
}

auto DynamicResources::AskedIn(DynamicResourcesState& state) const -> Asked {
  if (state.gone.empty() && state.besides.empty()) {
    return {.devices = devices_.Take(), .variants = state.found->variants};
  }
  ImaginedDevices& imagined = *Imagine(state);
  return {.devices = imagined.devices, .variants = imagined.variants, .besides = &imagined.besides};
}

// --- The claims that have their devices.

std::vector<std::size_t> DynamicResources::UnavailableOn(const api::Node& node,
                                                         const ClaimsOfPod& found) const {
  std::vector<std::size_t> unavailable;
  for (std::size_t i = 0; i < found.claims.size(); ++i) {
    if (!found.claims[i].IsPending() && !IsUsableOn(node, *found.claims[i].claim)) {
      unavailable.push_back(i);
    }
  }
  return unavailable;
}

bool DynamicResources::IsWithinReach(const api::Node& node, const api::ResourceClaim& claim) {
  return placement::IsAvailableOn(claim, node) &&
         (!SkipsNodeOperations(claim) || Declares(node, kOptionalNodeOperations));
}

bool DynamicResources::IsUsableOn(const api::Node& node, const api::ResourceClaim& claim) const {
  if (!IsWithinReach(node, claim)) {
    return false;
  }
  return !FollowsBindingConditions() ||
         (placement::WhyBindingFailed(claim).empty() &&
          (placement::AwaitedConditions(claim).empty() || !IsTimedOut(claim)));
}

// --- The claims that ask for devices.

Variant* DynamicResources::VariantOn(const NodeInfo& node, const api::Pod& pod,
                                     const ClaimsOfPod& found, const Asked& asked) const {
  const auto [at, added] = asked.variants.try_emplace(OfferText(node.node(), found.resources));
  Variant& variant = at->second;
  if (added) {
    variant.demand = found.wants_extended ? devices_.extended().DemandOn(node.node(), pod)
                                          : placement::ExtendedDemand();
    if (variant.demand.fits) {
      Complete(variant, found, asked);
    }
  }
  return variant.demand.fits ? &variant : nullptr;
}

void DynamicResources::Complete(Variant& variant, const ClaimsOfPod& found,
                                const Asked& asked) const {
  if (asked.besides != nullptr) {
    AddOthers(*asked.besides, found, variant);
  }
  for (const PodClaim& each : found.claims) {
    AddPending(each, variant);
  }
  if (variant.pending.size() == variant.besides) {
    return;
  }
  if (asked.besides == nullptr) {
    variant.page = devices_.answers().PageOf(QuestionOf(variant, args_.steps));
  }
  variant.allocator = std::make_unique<allocator::Allocator>(
      asked.devices, variant.pending, devices_.verdicts(),
      allocator::Allocator::Options{.strict = handle_.strict, .budget = args_.steps});
}

NodeAnswers::Answer DynamicResources::Ask(Variant& variant, const inventory::Snapshot& devices,
                                          const std::string& node) const {
  if (variant.page != nullptr) {
    if (const NodeAnswers::Answer* const known = variant.page->Find(node)) {
      return *known;
    }
  }
  NodeAnswers::Answer answer;
  const inventory::NodeView* const view = devices.ViewOf(node);
  if (view == nullptr) {
    return answer;
  }
  answer.fit = variant.allocator->Try(*view);
  if (answer.fit == Fit::kRefused) {
    // In words that name the claims: nobody else's answer.
    allocator::Allocation allocation = variant.allocator->Allocate(*view, handle_.random);
    const reasons::Refusal& key = placement::KeyReason(allocation.reasons);
    answer.refused = std::make_shared<const reasons::Refusal>(key);
    answer.message = allocation.message.empty() ? key.message : std::move(allocation.message);
    answer.fatal = allocation.fatal;
    return answer;
  }
  if (answer.fit == Fit::kDoesNotFit && handle_.strict && HasInvalidPool(*view)) {
    answer.fit = Fit::kRefused;  // upstream's words for whatever does not fit there
    answer.message = "invalid resource pools were encountered";
    return answer;
  }
  answer.score = answer.fit == Fit::kFits ? variant.allocator->score() : 0;
  return variant.page == nullptr ? answer : variant.page->Keep(node, answer);
}

Status DynamicResources::Refuse(const NodeAnswers::Answer& answer, Variant& variant,
                                const PodInfo& pod, const NodeInfo& node, const Asked& asked,
                                ClaimsOfPod& found) const {
  switch (answer.fit) {
    case Fit::kRefused:
      return handle_.strict && answer.fatal ? Status(scheduler::Code::kError, answer.message)
             : answer.refused == nullptr
                 ? Unresolvable(answer.message)
                 : Unresolvable(answer.message).Because(reasons::Refusal(*answer.refused));
    case Fit::kUndecided: {
      std::string text = fmt::format("node {}: timed out trying to allocate devices", node.name());
      return handle_.strict ? Status(scheduler::Code::kError, std::move(text))
                            : Unresolvable(std::move(text))
                                  .Because({.code = reasons::Code::kUndecided,
                                            .message = "the budget of steps was used up"});
    }
    default:
      return Explained(CannotAllocate(handle_.preempt_devices && MayPreempt(pod, node)), variant,
                       node.name(), asked.devices, found);
  }
}

Status DynamicResources::Explained(Status status, Variant& variant, const std::string& node,
                                   const inventory::Snapshot& devices, ClaimsOfPod& found) const {
  const inventory::NodeView* const view = devices.ViewOf(node);
  NodeAnswers::Answer* const known = variant.page == nullptr ? nullptr : variant.page->Find(node);
  if (handle_.strict || view == nullptr || known == nullptr || found.explained == kExplained) {
    return status;
  }
  ++found.explained;
  if (known->why == nullptr) {
    const allocator::Allocation allocation = variant.allocator->Allocate(*view, handle_.random);
    if (allocation.reasons.empty()) {
      return status;
    }
    known->why = std::make_shared<const placement::SharedRefusal>(
        placement::KeyReason(allocation.reasons), variant.names);
  }
  return std::move(status).Because(known->why->For(variant.names));
}

Status DynamicResources::Allocate(Variant& variant, const inventory::Snapshot& devices,
                                  const std::string& node,
                                  std::vector<api::AllocationResult>& allocations) const {
  allocator::Allocation allocation =
      variant.allocator->Allocate(*devices.ViewOf(node), handle_.random);
  switch (allocation.result) {
    case Result::kAllocated:
      allocations.assign(std::make_move_iterator(allocation.claims.begin() +
                                                 static_cast<std::ptrdiff_t>(variant.besides)),
                         std::make_move_iterator(allocation.claims.end()));
      return {};
    case Result::kError:
      return handle_.strict && allocation.fatal
                 ? Status(scheduler::Code::kError, std::move(allocation.message))
                 : Unresolvable(std::move(allocation.message));
    default:
      return CannotAllocate(false);
  }
}

}  // namespace quadra::scheduler
