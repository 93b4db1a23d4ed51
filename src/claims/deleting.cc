#include "claims/deleting.h"

#include <utility>

#include "claims/consumers.h"

namespace quadra::claims {
namespace {

using client::Answer;

// Where our copy does not know the name at all it may lag behind: not worth asking, since there is a
// garbage collector.
loop::Task<Answer<bool>> IsOver(Shared& shared, std::string ns, api::OwnerReference owner) {
  if (shared.pods.Find(ns, owner.name) == nullptr) {
    co_return false;
  }
  const Answer<Fate> fate = co_await FateOf(shared, ns, owner.name, owner.uid);
  if (!fate) {
    co_return tl::unexpected(fate.error());
  }
  co_return *fate == Fate::kDone || *fate == Fate::kReplaced;
}

}  // namespace

loop::Task<Answer<void>> DeleteIfDone(Shared& shared, ClaimPointer claim) {
  const api::ObjectMeta& metadata = claim->metadata;
  const api::OwnerReference* const owner = OwningPod(*claim);
  if (owner == nullptr || metadata.deletion_timestamp) {
    co_return Answer<void>();
  }
  const Answer<bool> over = co_await IsOver(shared, metadata.ns, *owner);
  if (!over || !*over) {
    co_return over ? Answer<void>() : tl::unexpected(over.error());
  }
  const client::Resource claims = shared.api.Served(client::ResourceOf<api::ResourceClaim>());
  const client::Deletion deletion{.uid = metadata.uid,
                                  .resource_version = metadata.resource_version};
  const Answer<std::string> deleted =
      co_await shared.api.Delete(claims, metadata.ns, metadata.name, deletion);
  if (!deleted && !deleted.error().Is(client::refused::kNotFound)) {
    co_return tl::unexpected(
        Because("delete unused generated claim " + api::FullNameOf(*claim), deleted.error()));
  }
  co_return Answer<void>();
}

}  // namespace quadra::claims
