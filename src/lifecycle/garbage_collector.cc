// The garbage collector: deletes what has lost all its owners.
//
// Reading order: Run (what is followed), Attempt (one object), Judge (whether it goes), Orphan.
// Whatever the graph suspects is read from the server before anything is written, and every delete
// says which uid it means.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "lifecycle/collected_object.h"
#include "lifecycle/discovery.h"
#include "lifecycle/graph.h"
#include "lifecycle/lifecycle.h"
#include "lifecycle/monitors.h"
#include "lifecycle/owner_patches.h"
#include "metrics/registry.h"

namespace quadra::lifecycle {
namespace {

using client::Answer;
using client::Looked;
using client::Metadata;
using client::Propagation;
using client::Resource;
using loop::Task;

constexpr std::size_t kCollectorWorkers = 20;  // of either queue
constexpr std::size_t kPatchesAtOnce = 50;
constexpr std::chrono::seconds kDiscoveryPeriod(30);
constexpr std::chrono::seconds kUndiscoveredWait(1);
constexpr std::chrono::seconds kFirstSyncPatience(30);
constexpr std::chrono::milliseconds kSyncedPoll(100);

bool IsAbsent(const client::Failure& failure) { return failure.Is(client::refused::kNotFound); }

// Whether it goes as soon as its dependents have.
bool Waits(const api::ObjectMeta& meta) {
  return meta.deletion_timestamp.has_value() && HasFinalizer(meta, kForegroundFinalizer);
}

// What an object's owners are, by live reads.
struct Owners {
  OwnerReferences solid;
  OwnerReferences dangling;
  OwnerReferences waiting;  // being deleted, once their dependents are gone

  std::vector<std::string> Unwanted() const {
    std::vector<std::string> uids;
    for (const OwnerReferences* const group : {&dangling, &waiting}) {
      std::ranges::transform(*group, std::back_inserter(uids), &api::OwnerReference::uid);
    }
    return uids;
  }
};

class GarbageCollector final : public client::Controller {
 public:
  explicit GarbageCollector(client::ControllerContext& context)
      : context_(context),
        events_(context.api, "garbage-collector-controller"),
        sync_errors_(
            context.metrics
                .Counters({.name = "garbagecollector_controller_resources_sync_error_total",
                           .help = "How often kinds could not be discovered or followed."})
                .With({})),
        graph_({.look = [this](const std::string& uid) { to_delete_.Add(uid); },
                .orphan = [this](const std::string& uid) { to_orphan_.Add(uid); },
                .misplaced_owner =
                    [this](const Graph::Node& dependent, const api::OwnerReference& owner) {
                      TellMisplaced(dependent, owner);
                    }}),
        to_delete_(context.api.loop(),
                   {.meter = context.work.For("garbage_collector_attempt_to_delete"),
                    .workers = kCollectorWorkers},
                   [this](std::string uid) { return Attempt(std::move(uid)); }),
        to_orphan_(context.api.loop(),
                   {.meter = context.work.For("garbage_collector_attempt_to_orphan"),
                    .workers = kCollectorWorkers},
                   [this](std::string uid) { return Orphan(std::move(uid)); }),
        monitors_(context.api, graph_,
                  [this](const client::Resource& resource, const client::Failure& failure) {
                    TellUnseen(resource, failure);
                  }) {}

  void Start() override { tasks_.Start(Run()); }
  bool idle() const override { return working_ && to_delete_.idle() && to_orphan_.idle(); }

 private:
  Task<void> Run();
  // Whether it follows others than before.
  Task<bool> FollowKinds();
  Task<void> AwaitSync(std::chrono::seconds patience);
  void Log(std::string_view what, const client::Failure& failure) const {
    context_.log(fmt::format("garbage collector: {}: {}", what, failure.message));
  }
  // Once for each collection: what cannot be seen is not collected.
  void TellUnseen(const client::Resource& resource, const client::Failure& failure);
  void TellMisplaced(const Graph::Node& dependent, const api::OwnerReference& owner);

  // Where it is served; nothing, with how the look ends, where it is not.
  tl::expected<CollectedObject, Looked> Locate(const Identity& identity) const;
  Task<Looked> Attempt(std::string uid);
  Task<Looked> AttemptFound(CollectedObject object, bool deleting_dependents);
  Task<Looked> FinishForeground(CollectedObject object);
  Task<Looked> Judge(CollectedObject object, api::ObjectMeta latest);
  Task<tl::expected<Owners, Looked>> Classify(CollectedObject object, OwnerReferences references);
  Task<tl::expected<std::optional<Metadata>, Looked>> ReadOwner(CollectedObject object,
                                                                api::OwnerReference owner);
  Task<Looked> DropOwners(CollectedObject object, std::vector<std::string> uids);
  Task<Looked> DeleteInForeground(CollectedObject object, api::ObjectMeta latest);
  Task<Looked> Delete(CollectedObject object, api::ObjectMeta latest, Propagation propagation);
  Looked IsGone(const Identity& identity) {
    return graph_.ForgetAbsent(identity) ? Looked::kAgain : Looked::kDone;
  }
  Looked Ended(const CollectedObject& object, std::string_view doing,
               const Answer<std::string>& answer);

  Task<Looked> Orphan(std::string uid);
  Task<bool> ReleaseAll(std::vector<Identity> dependents, std::string owner_uid);
  // Takes the finalizer by which it waited for its dependents.
  Task<Looked> Release(CollectedObject object, std::string_view finalizer);

  client::ControllerContext& context_;
  client::EventRecorder events_;
  metrics::Counter& sync_errors_;
  Kinds kinds_;
  bool working_ = false;
  Graph graph_;
  client::WorkQueue to_delete_;  // by uid, as the next
  client::WorkQueue to_orphan_;
  std::set<std::string> unseen_;  // paths of collections
  Monitors monitors_;
  loop::TaskGroup tasks_;  // last: it uses all of the above
};

// Follows the kinds that the server has now and will have. What has not synced in time is not waited
// for: a kind that cannot be listed must not keep all others from being collected.
Task<void> GarbageCollector::Run() {
  loop::EventLoop& loop = context_.api.loop();
  for (co_await FollowKinds(); kinds_.all.empty(); co_await FollowKinds()) {
    co_await loop::Pause(loop, kUndiscoveredWait);
  }
  co_await AwaitSync(kFirstSyncPatience);
  to_delete_.Start();
  to_orphan_.Start();
  working_ = true;
  for (;;) {
    co_await loop::Pause(loop, kDiscoveryPeriod);
    const bool changed = co_await FollowKinds();
    if (changed) {
      co_await AwaitSync(kDiscoveryPeriod);
    }
  }
}

Task<void> GarbageCollector::AwaitSync(std::chrono::seconds patience) {
  loop::EventLoop& loop = context_.api.loop();
  const Time until = loop.Now() + patience;
  while (!monitors_.synced() && loop.Now() < until) {
    co_await loop::Pause(loop, kSyncedPoll);
  }
  if (!monitors_.synced()) {
    sync_errors_.Add();
  }
}

// What it follows stays where the server does not tell.
Task<bool> GarbageCollector::FollowKinds() {
  Answer<Kinds> kinds = co_await Discover(context_.api);
  if (!kinds) {
    Log("kinds cannot be discovered", kinds.error());
    sync_errors_.Add();
    co_return false;
  }
  kinds_ = *std::move(kinds);
  co_return monitors_.Follow(kinds_);
}

void GarbageCollector::TellUnseen(const client::Resource& resource,
                                  const client::Failure& failure) {
  if (failure.Is(client::refused::kForbidden) && unseen_.insert(resource.Path("")).second) {
    context_.log(fmt::format(
        "garbage collector: {} are not collected: {}; grant it the ClusterRole "
        "quadra-controller-collector (quadra rbac --role controller), or leave it out with "
        "--controllers=*,-garbage-collector-controller",
        resource.plural, failure.message));
  }
}

void GarbageCollector::TellMisplaced(const Graph::Node& dependent,
                                     const api::OwnerReference& owner) {
  const Identity& about = dependent.identity;
  events_.Record(
      {.api_version = about.api_version,
       .kind = about.kind,
       .ns = about.ns,
       .name = about.name,
       .uid = about.uid},
      client::EventType::kWarning, "OwnerRefInvalidNamespace",
      fmt::format("ownerRef [{}/{}, namespace: {}, name: {}, uid: {}] does not exist in "
                  "namespace \"{}\"",
                  owner.api_version, owner.kind, about.ns, owner.name, owner.uid, about.ns));
}

tl::expected<CollectedObject, Looked> GarbageCollector::Locate(const Identity& identity) const {
  const Resource* const resource = kinds_.Find(identity.api_version, identity.kind);
  if (resource == nullptr) {
    return tl::unexpected(Looked::kAgain);  // it may appear
  }
  if (resource->namespaced && identity.ns.empty()) {
    return tl::unexpected(Looked::kDone);  // what has no namespace cannot be owned from one
  }
  CollectedObject object{.identity = identity, .resource = *resource};
  if (!resource->namespaced) {
    object.identity.ns.clear();
  }
  return object;
}

Task<Looked> GarbageCollector::Attempt(std::string uid) {
  const Graph::Node* const node = graph_.Find(uid);
  if (node == nullptr || (node->being_deleted && !node->deleting_dependents)) {
    co_return Looked::kDone;  // on its way: its dependents are looked at when it has gone
  }
  if (!node->is_virtual && node->owners.empty() && !node->deleting_dependents) {
    co_return Looked::kDone;
  }
  const bool deleting_dependents = node->deleting_dependents;
  tl::expected<CollectedObject, Looked> object = Locate(node->identity);
  if (!object) {
    co_return object.error();
  }
  const Looked looked = co_await AttemptFound(*std::move(object), deleting_dependents);
  // One that was made and deleted while nobody watched would stay virtual for ever.
  const Graph::Node* const still = graph_.Find(uid);
  co_return still != nullptr && still->is_virtual ? Looked::kAgain : looked;
}

Task<Looked> GarbageCollector::AttemptFound(CollectedObject object, bool deleting_dependents) {
  const Identity& identity = object.identity;
  const Identity told = graph_.Find(identity.uid)->identity;
  Answer<Metadata> latest =
      co_await context_.api.GetMetadata(object.resource, identity.ns, identity.name);
  if (!latest && !IsAbsent(latest.error())) {
    Log(fmt::format("reading {}", object.Name()), latest.error());
    co_return Looked::kAgain;
  }
  if (!latest || latest->metadata.uid != identity.uid) {
    co_return IsGone(told);
  }
  if (deleting_dependents) {
    co_return co_await FinishForeground(std::move(object));
  }
  co_return co_await Judge(std::move(object), std::move(latest->metadata));
}

// It is being deleted in the foreground: once no dependent holds it up, it may go.
Task<Looked> GarbageCollector::FinishForeground(CollectedObject object) {
  const Graph::Node* const node = graph_.Find(object.identity.uid);
  if (node == nullptr) {
    co_return Looked::kDone;
  }
  const std::vector<const Graph::Node*> blocking = node->BlockingDependents();
  if (blocking.empty()) {
    co_return co_await Release(std::move(object), kForegroundFinalizer);
  }
  for (const Graph::Node* const dependent : blocking) {
    if (!dependent->deleting_dependents) {
      to_delete_.Add(dependent->identity.uid);
    }
  }
  co_return Looked::kDone;
}

Task<Looked> GarbageCollector::Judge(CollectedObject object, api::ObjectMeta latest) {
  if (latest.owner_references.empty()) {
    co_return Looked::kDone;
  }
  const tl::expected<Owners, Looked> owners = co_await Classify(object, OwnersOf(latest));
  if (!owners) {
    co_return owners.error();
  }
  if (!owners->solid.empty()) {
    std::vector<std::string> unwanted = owners->Unwanted();
    if (unwanted.empty()) {  // no ?: around co_await: g++ 12 would ask on both ways
      co_return Looked::kDone;
    }
    co_return co_await DropOwners(std::move(object), std::move(unwanted));
  }
  const Graph::Node* const node = graph_.Find(object.identity.uid);
  if (!owners->waiting.empty() && node != nullptr && !node->dependents.empty()) {
    co_return co_await DeleteInForeground(std::move(object), std::move(latest));
  }
  // Who asked for it before is heard still.
  const Propagation propagation = HasFinalizer(latest, kOrphanFinalizer) ? Propagation::kOrphan
                                  : HasFinalizer(latest, kForegroundFinalizer)
                                      ? Propagation::kForeground
                                      : Propagation::kBackground;
  co_return co_await Delete(std::move(object), std::move(latest), propagation);
}

Task<tl::expected<Owners, Looked>> GarbageCollector::Classify(CollectedObject object,
                                                              OwnerReferences references) {
  Owners owners;
  for (const api::OwnerReference& reference : references) {
    const auto owner = co_await ReadOwner(object, reference);
    if (!owner) {
      co_return tl::unexpected(owner.error());
    }
    const std::optional<Metadata>& read = *owner;
    if (!read) {
      owners.dangling.push_back(reference);
    } else if (Waits(read->metadata)) {
      owners.waiting.push_back(reference);
    } else {
      owners.solid.push_back(reference);
    }
  }
  co_return std::move(owners);
}

// Nothing where there is no such owner.
Task<tl::expected<std::optional<Metadata>, Looked>> GarbageCollector::ReadOwner(
    CollectedObject object, api::OwnerReference owner) {
  AbsentOwners& absent = graph_.absent_owners();
  if (absent.Has(IdentityOf(owner, "")) || absent.Has(IdentityOf(owner, object.identity.ns))) {
    co_return std::optional<Metadata>();
  }
  const tl::expected<CollectedObject, Looked> located =
      Locate(IdentityOf(owner, object.identity.ns));
  if (!located) {
    co_return tl::unexpected(located.error());
  }
  Answer<Metadata> read = co_await context_.api.GetMetadata(located->resource, located->identity.ns,
                                                            located->identity.name);
  if (!read && !IsAbsent(read.error())) {
    Log(fmt::format("reading {}, an owner of {}", located->Name(), object.Name()), read.error());
    co_return tl::unexpected(Looked::kAgain);
  }
  if (!read || read->metadata.uid != owner.uid) {
    graph_.absent_owners().Add(located->identity);
    co_return std::optional<Metadata>();
  }
  co_return std::optional<Metadata>(*std::move(read));
}

// One owner is left, so it stays; those that are not there, or wait for it, are taken off.
Task<Looked> GarbageCollector::DropOwners(CollectedObject object, std::vector<std::string> uids) {
  const Answer<std::string> answer = co_await RemoveOwners(context_.api, object, std::move(uids));
  co_return Ended(object, "taking owners off", answer);
}

Task<Looked> GarbageCollector::DeleteInForeground(CollectedObject object, api::ObjectMeta latest) {
  const Graph::Node* const node = graph_.Find(object.identity.uid);
  const std::vector<const Graph::Node*> dependents = node->Dependents();
  // Its own dependents may wait for it in turn: so that a circle ends, it holds nobody up.
  if (std::ranges::any_of(dependents, &Graph::Node::deleting_dependents)) {
    const Answer<std::string> unblocked = co_await Unblock(context_.api, object, node->owners);
    if (!unblocked) {
      co_return Ended(object, "unblocking owners", unblocked);
    }
  }
  co_return co_await Delete(std::move(object), std::move(latest), Propagation::kForeground);
}

Task<Looked> GarbageCollector::Delete(CollectedObject object, api::ObjectMeta latest,
                                      Propagation propagation) {
  const Answer<std::string> answer =
      co_await DeleteUnlessOwned(context_.api, object, std::move(latest), propagation);
  co_return Ended(object, "deleting", answer);
}

Looked GarbageCollector::Ended(const CollectedObject& object, std::string_view doing,
                               const Answer<std::string>& answer) {
  if (answer) {
    return Looked::kDone;
  }
  if (IsAbsent(answer.error())) {
    return IsGone(object.identity);
  }
  Log(fmt::format("{} {}", doing, object.Name()), answer.error());
  return Looked::kAgain;
}

// It is being deleted, and its dependents are to stay: they are let go first, then it is.
Task<Looked> GarbageCollector::Orphan(std::string uid) {
  const Graph::Node* const node = graph_.Find(uid);
  if (node == nullptr) {
    co_return Looked::kDone;
  }
  tl::expected<CollectedObject, Looked> object = Locate(node->identity);
  if (!object) {
    co_return object.error();
  }
  std::vector<Identity> dependents;
  for (const Graph::Node* const dependent : node->Dependents()) {
    dependents.push_back(dependent->identity);
  }
  const bool released = co_await ReleaseAll(std::move(dependents), uid);
  if (!released) {
    co_return Looked::kAgain;
  }
  co_return co_await Release(*std::move(object), kOrphanFinalizer);
}

// Whether all were released, or have gone.
Task<bool> GarbageCollector::ReleaseAll(std::vector<Identity> dependents, std::string owner_uid) {
  bool all = true;
  const std::size_t size = dependents.size();
  for (std::size_t begin = 0; begin < size; begin += kPatchesAtOnce) {
    const std::size_t end = std::min(size, begin + kPatchesAtOnce);
    std::vector<std::pair<CollectedObject, loop::Later<Answer<std::string>>>> sent;
    for (std::size_t i = begin; i < end; ++i) {
      tl::expected<CollectedObject, Looked> object = Locate(dependents[i]);
      all = all && object.has_value();
      if (object) {
        const std::vector<std::string> owners = {owner_uid};
        client::Change change{.type = client::PatchType::kStrategicMerge,
                              .body = WithoutOwners(object->identity.uid, owners)};
        auto later = context_.api.Patch(object->resource, object->identity.ns,
                                        object->identity.name, std::move(change));
        sent.emplace_back(*std::move(object), std::move(later));
      }
    }
    for (auto& [object, later] : sent) {
      Answer<std::string> answer = co_await later;
      if (!answer && answer.error().code == 415) {
        std::vector<std::string> owners = {owner_uid};
        answer = co_await RemoveOwners(context_.api, object, std::move(owners));
      }
      if (!answer && !IsAbsent(answer.error())) {
        Log(fmt::format("orphaning {}", object.Name()), answer.error());
        all = false;
      }
    }
  }
  co_return all;
}

Task<Looked> GarbageCollector::Release(CollectedObject object, std::string_view finalizer) {
  const Answer<std::string> answer =
      co_await RemoveFinalizer(context_.api, object, std::string(finalizer));
  if (answer || IsAbsent(answer.error())) {
    co_return Looked::kDone;
  }
  Log(fmt::format("removing the finalizer {} of {}", finalizer, object.Name()), answer.error());
  co_return Looked::kAgain;
}

}  // namespace

std::unique_ptr<client::Controller> MakeGarbageCollector(client::ControllerContext& context) {
  return std::make_unique<GarbageCollector>(context);
}

}  // namespace quadra::lifecycle
