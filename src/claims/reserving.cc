#include "claims/reserving.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "claims/claim_patches.h"
#include "placement/pod_claims.h"

namespace quadra::claims {
namespace {

using client::Answer;

std::vector<ClaimPointer> AwaitingReservation(const Shared& shared, const api::Pod& pod) {
  std::vector<ClaimPointer> awaiting;
  for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
    const auto name = placement::ResolveClaim(pod, entry);
    if (!name || name->name.empty()) {
      continue;
    }
    const ClaimPointer claim = shared.claims.Find(pod.metadata.ns, name->name);
    const bool given = name->kind == placement::ClaimName::Kind::kGiven;
    if (claim != nullptr && (given || placement::IsOwnedBy(*claim, pod)) &&
        AwaitsReservation(*claim, pod) && !IsOutdated(shared, claim->metadata)) {
      awaiting.push_back(claim);
    }
  }
  return awaiting;
}

loop::Task<Answer<bool>> StillRuns(Shared& shared, PodPointer pod) {
  const Answer<api::Pod> live =
      co_await shared.api.Get<api::Pod>(pod->metadata.ns, pod->metadata.name);
  if (!live && !live.error().Is(client::refused::kNotFound)) {
    co_return tl::unexpected(live.error());
  }
  co_return live && live->metadata.uid == pod->metadata.uid && !IsDone(*live);
}

loop::Task<Answer<void>> ReserveOne(Shared& shared, ClaimPointer claim, PodPointer pod) {
  api::ResourceClaim reserved = *claim;
  placement::Reserve(reserved, *pod);
  std::string body = ReservationPatch(*claim, reserved.status.reserved_for, Allocation::kKept);
  const Answer<ClaimPointer> written =
      co_await PatchClaim(shared, claim, std::move(body), "status");
  if (!written) {
    co_return tl::unexpected(Because("reserve claim " + api::FullNameOf(*claim), written.error()));
  }
  co_return Answer<void>();
}

}  // namespace

loop::Task<Answer<void>> ReserveForScheduled(Shared& shared, PodPointer pod) {
  const std::vector<ClaimPointer> awaiting = AwaitingReservation(shared, *pod);
  if (awaiting.empty()) {
    co_return Answer<void>();
  }
  const Answer<bool> runs = co_await StillRuns(shared, pod);
  if (!runs || !*runs) {
    co_return runs ? Answer<void>() : tl::unexpected(runs.error());
  }
  for (const ClaimPointer& claim : awaiting) {
    const Answer<void> reserved = co_await ReserveOne(shared, claim, pod);
    if (!reserved) {
      co_return reserved;
    }
  }
  co_return Answer<void>();
}

}  // namespace quadra::claims
