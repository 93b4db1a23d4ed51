#include "claims/consumers.h"

#include <utility>

namespace quadra::claims {
namespace {

using client::Answer;

Fate FateBy(const api::Pod& pod, const std::string& uid) {
  if (pod.metadata.uid != uid) {
    return Fate::kReplaced;
  }
  return IsDone(pod) ? Fate::kDone : Fate::kAlive;
}

bool IsPod(const api::ResourceClaimConsumerReference& consumer) {
  return consumer.api_group.empty() && consumer.resource == "pods";
}

}  // namespace

loop::Task<Answer<Fate>> FateOf(Shared& shared, std::string ns, std::string name, std::string uid) {
  const PodPointer pod = shared.pods.Find(ns, name);
  if (shared.gone_pods.Find(uid) != nullptr) {
    co_return pod == nullptr ? Fate::kGone : Fate::kReplaced;
  }
  if (pod != nullptr && pod->metadata.uid == uid) {
    co_return FateBy(*pod, uid);
  }
  const Answer<api::Pod> live = co_await shared.api.Get<api::Pod>(ns, name);
  if (!live && !live.error().Is(client::refused::kNotFound)) {
    co_return tl::unexpected(live.error());
  }
  co_return live ? FateBy(*live, uid) : Fate::kGone;
}

loop::Task<Answer<Consumers>> RemainingConsumers(Shared& shared, ClaimPointer claim) {
  Consumers remaining;
  for (const api::ResourceClaimConsumerReference& consumer : claim->status.reserved_for) {
    Fate fate = Fate::kAlive;
    if (IsPod(consumer)) {
      const Answer<Fate> found =
          co_await FateOf(shared, claim->metadata.ns, consumer.name, consumer.uid);
      if (!found) {
        co_return tl::unexpected(found.error());
      }
      fate = *found;
    }
    if (fate == Fate::kAlive) {
      remaining.push_back(consumer);
    }
  }
  co_return remaining;
}

}  // namespace quadra::claims
