#include "claims/freeing.h"

#include <utility>

namespace quadra::claims {
namespace {

using client::Answer;

loop::Task<Answer<ClaimPointer>> RemoveFinalizer(Shared& shared, ClaimPointer claim) {
  std::string body = FinalizerPatch(*claim);
  const Answer<ClaimPointer> written = co_await PatchClaim(shared, claim, std::move(body), "");
  co_return written;
}

// Writes who is left; clears the allocation with the last one. Then the finalizer, if it protects
// nothing any more.
loop::Task<Answer<ClaimPointer>> WriteRemaining(Shared& shared, ClaimPointer claim,
                                                Consumers remaining) {
  const bool free = remaining.empty() && HasFinalizer(*claim);
  std::string body =
      ReservationPatch(*claim, remaining, free ? Allocation::kCleared : Allocation::kKept);
  const Answer<ClaimPointer> written =
      co_await PatchClaim(shared, claim, std::move(body), "status");
  if (!written || !HasFinalizer(**written) || (*written)->status.allocation) {
    co_return written;
  }
  const Answer<ClaimPointer> last = co_await RemoveFinalizer(shared, *written);
  co_return last;
}

// Of a claim that nobody uses and that somebody deletes.
loop::Task<Answer<ClaimPointer>> LetGo(Shared& shared, ClaimPointer claim) {
  if (claim->status.allocation) {
    const Answer<ClaimPointer> written = co_await WriteRemaining(shared, claim, Consumers());
    co_return written;
  }
  const Answer<ClaimPointer> last = co_await RemoveFinalizer(shared, claim);
  co_return last;
}

bool IsStray(const api::ResourceClaim& claim) {
  return HasFinalizer(claim) && !claim.status.allocation && claim.status.reserved_for.empty();
}

// Removes it if this revision was seen before; otherwise looks again later.
loop::Task<Answer<ClaimPointer>> WatchStray(Shared& shared, ClaimPointer claim) {
  const std::string& uid = claim->metadata.uid;
  const std::string* const seen = shared.strays.Find(uid);
  if (seen != nullptr && *seen == claim->metadata.resource_version) {
    const Answer<ClaimPointer> last = co_await RemoveFinalizer(shared, claim);
    co_return last;
  }
  shared.strays.Put(uid, claim->metadata.resource_version);
  shared.look_again(kStrayAge, "claim:" + api::FullNameOf(*claim));
  co_return claim;
}

}  // namespace

loop::Task<Answer<ClaimPointer>> Free(Shared& shared, ClaimPointer claim, Consumers remaining) {
  if (remaining.size() < claim->status.reserved_for.size()) {
    const Answer<ClaimPointer> written =
        co_await WriteRemaining(shared, claim, std::move(remaining));
    co_return written;
  }
  if (claim->metadata.deletion_timestamp && HasFinalizer(*claim) && remaining.empty()) {
    const Answer<ClaimPointer> written = co_await LetGo(shared, claim);
    co_return written;
  }
  if (IsStray(*claim)) {
    const Answer<ClaimPointer> watched = co_await WatchStray(shared, claim);
    co_return watched;
  }
  co_return claim;
}

}  // namespace quadra::claims
