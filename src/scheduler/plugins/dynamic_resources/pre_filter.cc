// The pod's claims, and what keeps it from every node; and which devices would be free without other
// pods.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "placement/pod_claims.h"
#include "scheduler/plugins/dynamic_resources/dynamic_resources.h"

namespace quadra::scheduler {
namespace {

constexpr std::int64_t kBestAlternative = 8;  // what a first alternative scores

Status Skips() { return {Code::kSkip, std::vector<std::string>()}; }

bool IsResizeDeferred(const api::Pod& pod) {
  return std::ranges::any_of(pod.status.conditions, [](const api::PodCondition& condition) {
    return condition.type == "PodResizePending" && condition.status == "True" &&
           condition.reason == "Deferred";
  });
}

// Those with a domain in their name: more than classes may serve.
std::set<std::string> NamedResources(const api::Pod& pod) {
  std::set<std::string> resources;
  for (const auto* const containers : {&pod.spec.init_containers, &pod.spec.containers}) {
    for (const api::Container& container : *containers) {
      for (const auto& [resource, amount] : placement::ContainerRequests(container)) {
        if (resource.find('/') != std::string::npos) {
          resources.insert(resource);
        }
      }
    }
  }
  return resources;
}

// False where the pod has no claims, and so makes no difference.
bool Enter(const std::string& pod, std::vector<ClaimPtr> claims,
           std::map<std::string, std::vector<ClaimPtr>>& pods) {
  return !claims.empty() && pods.emplace(pod, std::move(claims)).second;
}

bool WasChosen(const api::AllocationResult& allocation, const std::string& alternative) {
  return std::ranges::any_of(allocation.devices.results,
                             [&](const auto& result) { return result.request == alternative; });
}

// How good the alternatives are that the claim has.
std::int64_t ScoreOf(const api::ResourceClaim& claim) {
  std::int64_t score = 0;
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    std::int64_t worth = kBestAlternative;
    for (const api::DeviceSubRequest& each : request.first_available) {
      score += WasChosen(*claim.status.allocation, request.name + "/" + each.name) ? worth : 0;
      --worth;
    }
  }
  return score;
}

}  // namespace

PreFilterResult DynamicResources::PreFilter(CycleState& state, const PodInfo& pod) const {
  const bool resizes =
      handle_.gates.Enabled(api::Gate::kInPlacePodVerticalScalingSchedulerPreemption) &&
      IsResizeDeferred(pod.pod);
  if (resizes || (pod.pod.spec.resource_claims.empty() && !placement::AsksForExtended(pod.pod))) {
    return {.status = Skips(), .nodes = {}};
  }
  const auto found = std::make_shared<ClaimsOfPod>();
  state.Write(name(), std::make_unique<DynamicResourcesState>(found));
  Status status = FindAll(pod.pod, *found);
  if (status.ok() && found->claims.empty()) {
    status = Skips();
  }
  if (!status.ok()) {
    found->claims.clear();
  } else if (handle_.gates.Enabled(api::Gate::kDRANodeAllocatableResources)) {
    FindMapped(*found);
  }
  return {.status = std::move(status), .nodes = {}};
}

Status DynamicResources::FindAll(const api::Pod& pod, ClaimsOfPod& found) const {
  reasons::OrRefusal<std::vector<ClaimPtr>> claims = ClaimsOf(pod);
  if (!claims) {
    return Unresolvable(claims.error().message).Because(claims.error());
  }
  for (ClaimPtr& claim : *claims) {
    const bool repeated =
        std::ranges::find(found.claims, claim, &PodClaim::claim) != found.claims.end();
    if (handle_.strict || !repeated) {
      found.claims.push_back({.claim = std::move(claim)});
    }
  }
  if (devices_.extended().AreWantedBy(pod)) {
    found.wants_extended = true;
    found.resources = NamedResources(pod);
    found.claims.push_back({.claim = ExtendedClaimFor(pod), .is_extended = true});
  }
  for (const PodClaim& claim : found.claims) {
    if (Status status = Check(claim, pod); !status.ok()) {
      return status;
    }
    found.base_score += claim.IsPending() ? 0 : ScoreOf(*claim.claim);
  }
  return {};
}

// What an earlier attempt has left, which Filter refuses; else one that is not written yet.
ClaimPtr DynamicResources::ExtendedClaimFor(const api::Pod& pod) const {
  const std::vector<ClaimPtr> left = devices_.ExtendedClaimsOf(pod);
  if (!left.empty()) {
    return left.front();
  }
  api::ResourceClaim claim = placement::ExtendedClaimOf(pod, {});
  claim.metadata.uid = pod.metadata.uid + "/extended-resources";
  return std::make_shared<const api::ResourceClaim>(std::move(claim));
}

Status DynamicResources::Check(const PodClaim& each, const api::Pod& pod) const {
  const api::ResourceClaim& claim = *each.claim;
  const bool in_flight = devices_.InFlight(claim) != nullptr;
  if (in_flight && (each.IsPending() || !handle_.strict)) {
    return Unresolvable(
        fmt::format("resource claim {} is in the process of being {}", api::FullNameOf(claim),
                    taken_back_.contains(claim.metadata.uid) ? "deallocated" : "allocated"));
  }
  if (!each.IsPending()) {
    return handle_.strict || placement::CanBeReservedFor(claim, pod)
               ? Status()
               : Unresolvable("resourceclaim in use")
                     .Because({.code = reasons::Code::kClaimInUse,
                               .claim = api::FullNameOf(claim),
                               .message = "as many pods use the claim as may"});
  }
  return each.is_extended ? Status() : CheckClasses(claim);
}

Status DynamicResources::CheckClasses(const api::ResourceClaim& claim) const {
  for (const api::DeviceRequest& request : claim.spec.devices.requests) {
    if (!request.exactly && request.first_available.empty()) {
      return Unresolvable(fmt::format("resource claim {}, request {}: unknown request type",
                                      api::FullNameOf(claim), request.name));
    }
    Status status =
        request.exactly ? CheckClass(request.exactly->device_class_name, request.name) : Status();
    for (std::size_t i = 0; status.ok() && !request.exactly && i < request.first_available.size();
         ++i) {
      const api::DeviceSubRequest& each = request.first_available[i];
      status = CheckClass(each.device_class_name, request.name + "/" + each.name);
    }
    if (!status.ok()) {
      return status;
    }
  }
  return {};
}

Status DynamicResources::CheckClass(const std::string& device_class,
                                    const std::string& request) const {
  if (device_class.empty()) {
    return {Code::kError, fmt::format("request {}: unsupported request type", request)};
  }
  if (devices_.Take().classes().contains(device_class)) {
    return {};
  }
  return Unresolvable(
             fmt::format("request {}: device class {} does not exist", request, device_class))
      .Because({.code = reasons::Code::kClassMissing,
                .request = request,
                .message = fmt::format("device class {} does not exist", device_class)});
}

// --- Trials: pods that are imagined to be gone, or back.

Status DynamicResources::AddPod(CycleState& state, const PodInfo& /*pod*/, const PodInfo& other,
                                const NodeInfo& /*node*/) const {
  auto* const mine = state.Read<DynamicResourcesState>(name());
  if (mine == nullptr) {
    return {};
  }
  // One that waits has not been given its devices yet.
  bool changed = mine->gone.erase(other.uid()) > 0;
  if (!changed && other.pod.spec.node_name.empty()) {
    changed = Enter(other.uid(), ClaimsUsedBy(other.pod), mine->besides);
  }
  if (changed) {
    mine->imagined.reset();
  }
  return {};
}

Status DynamicResources::RemovePod(CycleState& state, const PodInfo& /*pod*/, const PodInfo& other,
                                   const NodeInfo& /*node*/) const {
  auto* const mine = state.Read<DynamicResourcesState>(name());
  if (mine == nullptr) {
    return {};
  }
  if (mine->besides.erase(other.uid()) > 0 ||
      Enter(other.uid(), ClaimsUsedBy(other.pod), mine->gone)) {
    mine->imagined.reset();
  }
  return {};
}

std::vector<ClaimPtr> DynamicResources::ClaimsUsedBy(const api::Pod& pod) const {
  std::vector<ClaimPtr> claims = devices_.ExtendedClaimsOf(pod);
  for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
    const auto name = placement::ResolveClaim(pod, entry);
    ClaimPtr claim = name ? devices_.Find(pod.metadata.ns, name->name) : nullptr;
    if (claim != nullptr) {
      claims.push_back(std::move(claim));
    }
  }
  return claims;
}

namespace {

// Claims are given back when nobody uses them any more.
std::set<std::string> FreedBy(const std::map<std::string, std::vector<ClaimPtr>>& gone) {
  std::set<std::string> freed;
  for (const auto& [pod, claims] : gone) {
    for (const ClaimPtr& claim : claims) {
      const bool used = std::ranges::any_of(claim->status.reserved_for, [&](const auto& consumer) {
        return !gone.contains(consumer.uid);
      });
      if (claim->status.allocation && !used) {
        freed.insert(inventory::ClaimKey(*claim));
      }
    }
  }
  return freed;
}

}  // namespace

ImaginedDevices* DynamicResources::Imagine(DynamicResourcesState& state) const {
  if (state.imagined != nullptr) {
    return state.imagined.get();
  }
  inventory::Inventory trial = devices_.Take().Fork();
  for (const std::string& key : FreedBy(state.gone)) {
    trial.Release(key);
  }
  state.imagined = std::make_unique<ImaginedDevices>(trial.Take());
  for (const auto& [pod, claims] : state.besides) {
    for (const ClaimPtr& claim : claims) {
      if (!claim->status.allocation) {
        state.imagined->besides.push_back(claim);
      }
    }
  }
  return state.imagined.get();
}

}  // namespace quadra::scheduler
