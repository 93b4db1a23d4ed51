#include "lifecycle/collected_object.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "lifecycle/owner_patches.h"

namespace quadra::lifecycle {
namespace {

using client::Answer;
using client::Metadata;
using loop::Task;

// How often a finalizer is tried again that somebody else's write got in the way of.
constexpr std::array kConflictWaits = {std::chrono::milliseconds(10), std::chrono::milliseconds(50),
                                       std::chrono::milliseconds(250)};

// Another object of its name is not the same.
Task<Answer<Metadata>> ReadSame(client::Api& api, CollectedObject object) {
  const Identity& at = object.identity;
  Answer<Metadata> seen = co_await api.GetMetadata(object.resource, at.ns, at.name);
  if (seen && seen->metadata.uid != at.uid) {
    co_return tl::unexpected(client::Failure{.code = 404,
                                             .reason = std::string(client::refused::kNotFound),
                                             .message = object.Name() + " is another object now"});
  }
  co_return seen;
}

Task<Answer<std::string>> TryRemoveFinalizer(client::Api& api, CollectedObject object,
                                             std::string finalizer) {
  const Identity& at = object.identity;
  const Answer<Metadata> seen = co_await api.GetMetadata(object.resource, at.ns, at.name);
  if (!seen) {
    co_return tl::unexpected(seen.error());
  }
  if (seen->metadata.uid != at.uid || !HasFinalizer(seen->metadata, finalizer)) {
    co_return std::string();
  }
  client::Change change{.body = WithoutFinalizer(seen->metadata, finalizer)};
  co_return co_await api.Patch(object.resource, at.ns, at.name, std::move(change));
}

}  // namespace

std::string CollectedObject::Name() const {
  return fmt::format("{} {}", resource.plural, api::FullName(identity.ns, identity.name));
}

OwnerReferences OwnersOf(const api::ObjectMeta& meta) {
  return {meta.owner_references.begin(), meta.owner_references.end()};
}

bool HasFinalizer(const api::ObjectMeta& meta, std::string_view finalizer) {
  return std::ranges::find(meta.finalizers, finalizer) != meta.finalizers.end();
}

Task<Answer<std::string>> RemoveOwners(client::Api& api, CollectedObject object,
                                       std::vector<std::string> owner_uids) {
  const Identity& at = object.identity;
  client::Change change{.type = client::PatchType::kStrategicMerge,
                        .body = WithoutOwners(at.uid, owner_uids)};
  Answer<std::string> answer =
      co_await api.Patch(object.resource, at.ns, at.name, std::move(change));
  if (answer || answer.error().code != 415) {
    co_return answer;
  }
  const Answer<Metadata> seen = co_await ReadSame(api, object);
  if (!seen) {
    co_return tl::unexpected(seen.error());
  }
  OwnerReferences kept = OwnersOf(seen->metadata);
  std::erase_if(kept, [&](const api::OwnerReference& owner) {
    return std::ranges::find(owner_uids, owner.uid) != owner_uids.end();
  });
  client::Change whole{.body = WithOwners(seen->metadata, kept)};
  co_return co_await api.Patch(object.resource, at.ns, at.name, std::move(whole));
}

Task<Answer<std::string>> Unblock(client::Api& api, CollectedObject object,
                                  OwnerReferences owners) {
  client::Change change{.type = client::PatchType::kStrategicMerge,
                        .body = Unblocking(object.identity.uid, owners)};
  Answer<std::string> answer = co_await api.Patch(object.resource, object.identity.ns,
                                                  object.identity.name, std::move(change));
  if (answer || answer.error().code != 415) {
    co_return answer;
  }
  const Answer<Metadata> seen = co_await ReadSame(api, object);
  if (!seen) {
    co_return tl::unexpected(seen.error());
  }
  owners = OwnersOf(seen->metadata);
  for (api::OwnerReference& owner : owners) {
    owner.block_owner_deletion = false;
  }
  client::Change whole{.body = WithOwners(seen->metadata, owners)};
  co_return co_await api.Patch(object.resource, object.identity.ns, object.identity.name,
                               std::move(whole));
}

Task<Answer<std::string>> RemoveFinalizer(client::Api& api, CollectedObject object,
                                          std::string finalizer) {
  Answer<std::string> answer = co_await TryRemoveFinalizer(api, object, finalizer);
  for (const std::chrono::milliseconds wait : kConflictWaits) {
    if (answer || !answer.error().Is(client::refused::kConflict)) {
      break;
    }
    co_await loop::Pause(api.loop(), wait);
    answer = co_await TryRemoveFinalizer(api, object, finalizer);
  }
  co_return answer;
}

Task<Answer<std::string>> DeleteUnlessOwned(client::Api& api, CollectedObject object,
                                            api::ObjectMeta latest,
                                            client::Propagation propagation) {
  const Identity& at = object.identity;
  client::Deletion deletion{.uid = at.uid,
                            .resource_version = latest.resource_version,
                            .propagation = propagation,
                            .grace_seconds = {}};
  Answer<std::string> answer = co_await api.Delete(object.resource, at.ns, at.name, deletion);
  if (answer || !answer.error().Is(client::refused::kConflict)) {
    co_return answer;
  }
  const Answer<Metadata> now = co_await api.GetMetadata(object.resource, at.ns, at.name);
  if (!now && now.error().Is(client::refused::kNotFound)) {
    co_return tl::unexpected(now.error());
  }
  const bool same_owners = now && now->metadata.uid == at.uid &&
                           now->metadata.resource_version != latest.resource_version &&
                           OwnersOf(now->metadata) == OwnersOf(latest);
  if (!same_owners) {
    co_return answer;
  }
  deletion.resource_version.clear();
  co_return co_await api.Delete(object.resource, at.ns, at.name, deletion);
}

}  // namespace quadra::lifecycle
