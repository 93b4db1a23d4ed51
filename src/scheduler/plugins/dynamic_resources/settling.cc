// Two schedulers may give the same device away, each before it sees what the other wrote. So a pod is
// bound only after our own copy of the claims has shown what was written for it: everybody sees the
// writes in one order, and the later one gives back.

#include <utility>

#include <fmt/format.h>

#include "scheduler/devices/rivals.h"
#include "scheduler/framework/revision.h"
#include "scheduler/plugins/dynamic_resources/claim_writes.h"
#include "scheduler/plugins/dynamic_resources/dynamic_resources.h"

namespace quadra::scheduler {
namespace {

// After so long the server itself is asked what became of the claim.
constexpr auto kLongestWait = std::chrono::seconds(10);

}  // namespace

loop::Task<Status> DynamicResources::Settle(std::shared_ptr<ClaimsOfPod> found, PodInfoPtr pod) {
  for (const PodClaim& each : found->claims) {
    if (each.was_written) {
      loop::Task<Status> waiting = AwaitShown(each.claim);
      Status shown = co_await waiting;
      if (!shown.ok()) {
        co_return shown;
      }
    }
  }
  for (const PodClaim& each : found->claims) {
    if (!IsStillHeld(each)) {
      co_return Status(Code::kError,
                       fmt::format("claim {} got deallocated elsewhere in the meantime",
                                   api::FullNameOf(*each.claim)));
    }
  }
  for (const PodClaim& each : found->claims) {
    const std::optional<Rival> rival = RivalOf(each);
    if (rival) {
      std::string text =
          fmt::format("claim {}: device {} was given to claim {} before, by another scheduler",
                      api::FullNameOf(*each.claim), rival->device.ToString(), rival->claim);
      loop::Task<void> giving = GiveBack(found, pod, each.claim->metadata.uid);
      co_await giving;
      co_return Status(Code::kError, std::move(text));
    }
  }
  co_return Status();
}

bool DynamicResources::IsStillHeld(const PodClaim& each) const {
  if (!each.claim->status.allocation) {
    return true;  // nothing was wanted of it here
  }
  const api::ObjectMeta& meta = each.claim->metadata;
  const ClaimPtr now = devices_.Find(meta.ns, meta.name);
  return now != nullptr && now->metadata.uid == meta.uid &&
         now->status.allocation == each.claim->status.allocation;
}

// Devices that the claim had before this attempt may have been given by a scheduler that ended before
// it looked: what our copy has seen tells the order then.
std::optional<Rival> DynamicResources::RivalOf(const PodClaim& each) const {
  const ClaimCopies& copies = devices_.claims();
  const std::string key = inventory::ClaimKey(*each.claim);
  const std::uint64_t since =
      each.was_written ? RevisionOf(each.claim->metadata) : copies.FirstShown(key);
  return FindRival(*each.claim, since, devices_.Take(), copies);
}

loop::Task<Status> DynamicResources::AwaitShown(ClaimPtr written) {
  const std::vector<std::string> keys = {inventory::ClaimKey(*written)};
  while (!devices_.claims().IsShown(*written)) {
    const Time since = handle_.api->loop().Now();
    loop::Task<void> waiting = AwaitTold(keys, kLongestWait);
    co_await waiting;
    if (handle_.api->loop().Now() - since < kLongestWait) {
      continue;
    }
    loop::Task<client::Answer<api::ResourceClaim>> reading =
        handle_.api->Get<api::ResourceClaim>(written->metadata.ns, written->metadata.name);
    const client::Answer<api::ResourceClaim> read = co_await reading;
    const bool gone = read ? read->metadata.uid != written->metadata.uid
                           : read.error().Is(client::refused::kNotFound);
    if (gone) {
      devices_.Forget(written->metadata.ns, written->metadata.name);
      co_return Status(Code::kError, fmt::format("claim {} got deleted in the meantime",
                                                 api::FullNameOf(*written)));
    }
  }
  co_return Status();
}

loop::Task<void> DynamicResources::GiveBack(std::shared_ptr<ClaimsOfPod> found, PodInfoPtr pod,
                                            std::string late) {
  for (PodClaim& each : found->claims) {
    const bool is_given = each.was_written || each.claim->metadata.uid == late;
    if (!is_given || each.is_extended) {
      continue;  // the one for extended resources is deleted as a whole
    }
    loop::Task<ClaimPtr> clearing = Deallocate(*handle_.api, each.claim, pod->uid());
    ClaimPtr cleared = co_await clearing;
    if (cleared != nullptr) {
      each.claim = std::move(cleared);
      devices_.Assume(each.claim);
    }
  }
}

}  // namespace quadra::scheduler
