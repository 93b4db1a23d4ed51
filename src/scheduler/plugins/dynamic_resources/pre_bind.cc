// What is written before the pod is bound: its claims, side by side, and what its status says of them.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/object.h"
#include "json/writer.h"
#include "placement/pod_claims.h"
#include "scheduler/plugins/dynamic_resources/claim_writes.h"
#include "scheduler/plugins/dynamic_resources/dynamic_resources.h"
#include "scheduler/plugins/dynamic_resources/side_by_side.h"

namespace quadra::scheduler {
namespace {

Status Broken(std::string text) { return {Code::kError, std::move(text)}; }

bool IsInMemory(const PodClaim& claim) {
  return claim.is_extended && claim.claim->metadata.name == placement::kExtendedClaimName;
}

// The same decision for the claim as the server has made it.
ClaimPtr Renamed(const api::ResourceClaim& decided, const api::ResourceClaim& created) {
  auto renamed = std::make_shared<api::ResourceClaim>(created);
  placement::AddFinalizer(*renamed);
  renamed->status.allocation = decided.status.allocation;
  return renamed;
}

}  // namespace

Status DynamicResources::PreBindPreFlight(CycleState& state, const PodInfo& /*pod*/,
                                          const std::string& /*node*/) {
  return FindClaims(state) == nullptr ? Status(Code::kSkip, std::vector<std::string>()) : Status();
}

loop::Task<Status> DynamicResources::PreBind(CycleState& state, PodInfoPtr pod, std::string node) {
  if (FindClaims(state) == nullptr) {
    co_return Status();
  }
  const auto found = state.Read<DynamicResourcesState>(name())->found;
  loop::Task<Status> binding = BindClaims(found, pod, node);
  Status status = co_await binding;
  if (status.ok()) {
    loop::Task<Status> telling = TellPodOfNodeAllocatable(found, pod, node);
    status = co_await telling;
  }
  if (status.ok() && !handle_.strict) {
    loop::Task<Status> settling = Settle(found, pod);
    status = co_await settling;
  }
  if (status.ok()) {
    loop::Task<Status> waiting = AwaitConditions(found, pod, node);
    status = co_await waiting;
  }
  if (status.ok()) {
    End(*found);
  }
  co_return status;
}

loop::Task<Status> DynamicResources::BindClaims(std::shared_ptr<ClaimsOfPod> found, PodInfoPtr pod,
                                                std::string node) {
  std::vector<loop::Task<Status>> writes;
  for (std::size_t i = 0; i < found->claims.size(); ++i) {
    const PodClaim& each = found->claims[i];
    const bool nothing_to_do = IsInMemory(each) && each.decided == nullptr;
    if (!nothing_to_do && !placement::IsReservedFor(*each.claim, pod->pod)) {
      writes.push_back(BindClaim(found, i, pod, node));
    }
  }
  loop::Task<Status> all = SideBySide(handle_.api->loop(), std::move(writes));
  Status status = co_await all;
  co_return status;
}

loop::Task<Status> DynamicResources::BindClaim(std::shared_ptr<ClaimsOfPod> found,
                                               std::size_t index, PodInfoPtr pod,
                                               std::string node) {
  PodClaim& each = found->claims[index];
  if (IsInMemory(each)) {
    loop::Task<WrittenClaim> creating = CreateClaim(*handle_.api, each.decided);
    WrittenClaim created = co_await creating;
    if (!created) {
      co_return Broken(std::move(created).error());
    }
    const ClaimPtr before = each.decided;
    each.claim = *std::move(created);
    each.decided = Renamed(*before, *each.claim);
    devices_.Begin(each.decided);
    devices_.End(*before);
  }
  ClaimBinding binding{.claim = each.claim,
                       .decided = each.decided,
                       .pod = pod,
                       .stamps = FollowsBindingConditions(),
                       .insists = !handle_.strict};
  loop::Task<WrittenClaim> writing = WriteBinding(*handle_.api, std::move(binding));
  WrittenClaim written = co_await writing;
  if (!written) {
    co_return Broken(std::move(written).error());
  }
  each.claim = *std::move(written);
  each.was_written = each.decided != nullptr;
  devices_.Assume(each.claim);
  if (!each.is_extended) {
    co_return Status();
  }
  loop::Task<Status> telling =
      TellPodOfExtended(each.claim, pod, found->grants.at(node).variant->demand);
  Status told = co_await telling;
  co_return told;
}

loop::Task<Status> DynamicResources::TellPodOfExtended(ClaimPtr claim, PodInfoPtr pod,
                                                       placement::ExtendedDemand of) {
  if (of.mappings.empty()) {
    co_return Broken(fmt::format(
        "nil or empty request mappings, no update of pod {} ExtendedResourceClaimStatus",
        pod->full_name));
  }
  const api::PodExtendedResourceClaimStatus status{.request_mappings = of.mappings,
                                                   .resource_claim_name = claim->metadata.name};
  loop::Task<std::string> patching = PatchPodStatus(
      *handle_.api, pod, "\"extendedResourceClaimStatus\":" + api::EncodeJson(status));
  const std::string failure = co_await patching;
  co_return failure.empty() ? Status()
                            : Broken(fmt::format("update pod {} ExtendedResourceClaimStatus: {}",
                                                 pod->full_name, failure));
}

loop::Task<Status> DynamicResources::TellPodOfNodeAllocatable(std::shared_ptr<ClaimsOfPod> found,
                                                              PodInfoPtr pod, std::string node) {
  const auto grant = found->grants.find(node);
  if (grant == found->grants.end() || grant->second.node_allocatable.empty()) {
    co_return Status();
  }
  std::string list;
  for (const auto& each : grant->second.node_allocatable) {
    list += (list.empty() ? "" : ",") + api::EncodeJson(each);
  }
  found->told_node_allocatable = true;
  loop::Task<std::string> patching = PatchPodStatus(
      *handle_.api, pod, fmt::format("\"nodeAllocatableResourceClaimStatuses\":[{}]", list));
  const std::string failure = co_await patching;
  co_return failure.empty()
      ? Status()
      : Broken(fmt::format("updating pod {} NodeAllocatableResourceClaimStatuses: {}",
                           pod->full_name, failure));
}

loop::Task<void> DynamicResources::AwaitTold(std::vector<std::string> keys,
                                             std::chrono::microseconds longest) {
  loop::Later<bool> told;
  const auto once = std::make_shared<bool>(false);
  loop::EventLoop& loop = handle_.api->loop();
  // By the loop: whoever tells is in the middle of something.
  const std::function<void()> tell = [bring = told.Bring(), once] {
    if (!std::exchange(*once, true)) {
      bring(true);
    }
  };
  for (const std::string& key : keys) {
    devices_.OnTold(key, [&loop, tell] { loop.Post(tell); });
  }
  loop.PostAfter(longest, tell);
  co_await told;
}

}  // namespace quadra::scheduler
