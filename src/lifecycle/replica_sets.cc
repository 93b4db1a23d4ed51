// The ReplicaSet controller: as many pods as a set wants, counted in its status. A look at a set
// adopts and releases pods, creates or deletes what is too few or too many, and writes the status.
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lifecycle/deletion_order.h"
#include "lifecycle/expectations.h"
#include "lifecycle/lifecycle.h"
#include "lifecycle/own_writes.h"
#include "lifecycle/patch_text.h"
#include "lifecycle/pod_state.h"
#include "lifecycle/replica_set.h"
#include "lifecycle/tree.h"

namespace quadra::lifecycle {

namespace {

using client::Answer;
using client::EventType;
using client::Failure;
using client::Looked;

constexpr std::size_t kReplicaSetWorkers = 5;
// No more pods are created or deleted at once for one set.
constexpr std::int64_t kBurst = 500;

constexpr std::string_view kByOwner = "replicaset-controller: owner";
constexpr std::string_view kReplicaSetsByNamespace = "replicaset-controller: namespace";

std::vector<std::string> OwnerKey(const api::Pod& pod) {
  const api::OwnerReference* const owner = ControllerOf(pod.metadata);
  return {owner != nullptr ? owner->uid : "orphans of " + pod.metadata.ns};
}

std::vector<std::string> OwnerKeys(const api::Object& set) {
  for (const api::Value& owner : ItemsAt(set.root, {"metadata", "ownerReferences"})) {
    const api::Value* const controls = At(owner, {"controller"});
    const bool* const is_controller = controls == nullptr ? nullptr : controls->As<bool>();
    if (is_controller != nullptr && *is_controller) {
      return {std::string(TextAt(owner, {"uid"}))};
    }
  }
  return {};
}

std::vector<std::string> NamespaceKey(const api::Object& set) {
  return {std::string(client::MarksOf(set).ns)};
}

std::string NameOfSet(const api::Object& set) {
  const client::Marks marks = client::MarksOf(set);
  return api::FullName(marks.ns, marks.name);
}

// The namespace is going: whoever wrote down what should be there need not hear of it.
bool IsOfGoingNamespace(const Failure& failure) {
  return failure.Is(client::refused::kForbidden) &&
         failure.message.find("because it is being terminated") != std::string::npos;
}

class ReplicaSets final : public client::Controller {
 public:
  explicit ReplicaSets(client::ControllerContext& context)
      : context_(context),
        api_(context.api),
        sets_(context.informers.Objects(client::ResourceFor("apps/v1", "ReplicaSet"))),
        pods_(context.informers.Of<api::Pod>()),
        recorder_(api_, "replicaset-controller"),
        queue_(api_.loop(),
               {.meter = context.work.For("replicaset"), .workers = kReplicaSetWorkers},
               [this](std::string key) { return Sync(std::move(key)); }) {
    WatchSets();
    WatchPods();
  }

  void Start() override { queue_.Start(); }
  bool idle() const override { return queue_.idle(); }

 private:
  using Pods = std::vector<PodPointer>;

  Time Now() const { return api_.loop().Now(); }

  void WatchSets();
  void WatchPods();
  void Appeared(const api::Pod& pod);
  void Changed(const api::Pod& before, const api::Pod& now);
  void Gone(const api::Pod& pod);
  void ControllerLeft(const api::Pod& before);
  void LookLater(const std::string& key, const api::Pod& before, const api::Pod& now);
  void WakeThoseThatMatch(const api::Pod& orphan);
  std::optional<std::string> SetOf(const api::Pod& pod) const;

  loop::Task<Looked> Sync(std::string key);
  loop::Task<Looked> SyncSet(const std::string& key, const ReplicaSet& set);
  Pods OwnedAndOrphans(const ReplicaSet& set) const;
  std::optional<std::int64_t> CountTerminating(const ReplicaSet& set, const Pods& pods) const;
  loop::Task<Looked> WriteStatus(const std::string& key, const ReplicaSet& set,
                                 const Replicas& replicas);
  void LookWhenAvailable(const std::string& key, const ReplicaSet& set, const Pods& active,
                         const ReplicaSetStatus& status);

  loop::Task<Answer<Pods>> Claim(const std::string& key, const ReplicaSet& set, const Pods& pods);
  loop::Task<Answer<bool>> ClaimPod(const std::string& key, const ReplicaSet& set,
                                    const api::Pod& pod, std::optional<Answer<void>>* may_adopt);
  loop::Task<Answer<void>> MayAdopt(const ReplicaSet& set);
  loop::Task<Answer<bool>> Adopt(const std::string& key, const ReplicaSet& set,
                                 const api::Pod& pod);
  loop::Task<Answer<bool>> Release(const std::string& key, const ReplicaSet& set,
                                   const api::Pod& pod);
  loop::Task<Answer<void>> PatchPod(const std::string& key, const api::Pod& pod, std::string body);

  loop::Task<std::string> Manage(const std::string& key, const ReplicaSet& set, const Pods& active);
  loop::Task<std::string> CreatePods(const std::string& key, const ReplicaSet& set,
                                     std::int64_t count);
  bool TakeCreated(const ReplicaSet& set, const Answer<std::string>& answer, std::string* trouble);
  loop::Task<std::string> DeletePods(const std::string& key, const ReplicaSet& set,
                                     const Pods& active, std::size_t count);
  Pods ChooseToDelete(const ReplicaSet& set, const Pods& active, std::size_t count) const;
  Pods RelatedPods(const ReplicaSet& set) const;
  bool TakeDeleted(const ReplicaSet& set, const api::Pod& pod, const Answer<std::string>& answer,
                   std::string* trouble);
  void Tell(const ReplicaSet& set, EventType type, std::string_view reason,
            const std::string& message);

  client::ControllerContext& context_;
  client::Api& api_;
  client::Informer<api::Object>& sets_;
  client::Informer<api::Pod>& pods_;
  const client::Resource set_resource_ = client::ResourceFor("apps/v1", "ReplicaSet");
  const client::Resource pod_resource_ = client::ResourceOf<api::Pod>();
  client::EventRecorder recorder_;
  Expectations expectations_;
  OwnWrites set_writes_;
  OwnWrites pod_writes_;
  client::WorkQueue queue_;  // last: looks use all of the above
};

void ReplicaSets::WatchSets() {
  sets_.AddIndex(std::string(kByOwner), OwnerKeys);
  sets_.AddIndex(std::string(kReplicaSetsByNamespace), NamespaceKey);
  sets_.OnChange({.added = [this](const api::Object& set) { queue_.Add(NameOfSet(set)); },
                  .updated = [this](const api::Object&,
                                    const api::Object& set) { queue_.Add(NameOfSet(set)); },
                  .deleted =
                      [this](const api::Object& set) {
                        const std::string key = NameOfSet(set);
                        expectations_.Forget(key);
                        set_writes_.Forget(key);
                        pod_writes_.Forget(key);
                      }});
}

void ReplicaSets::WatchPods() {
  pods_.AddIndex(std::string(kByOwner), OwnerKey);
  pods_.OnChange(
      {.added = [this](const api::Pod& pod) { Appeared(pod); },
       .updated = [this](const api::Pod& before, const api::Pod& now) { Changed(before, now); },
       .deleted = [this](const api::Pod& pod) { Gone(pod); }});
}

// --- What pods tell.

// The set that controls it, as far as there is one.
std::optional<std::string> ReplicaSets::SetOf(const api::Pod& pod) const {
  const api::OwnerReference* const owner = ControllerOf(pod.metadata);
  if (owner == nullptr || owner->kind != "ReplicaSet") {
    return std::nullopt;
  }
  std::string key = api::FullName(pod.metadata.ns, owner->name);
  const ReplicaSet::Pointer set = sets_.Find(key);
  return set != nullptr && client::MarksOf(*set).uid == owner->uid ? std::optional(std::move(key))
                                                                   : std::nullopt;
}

void ReplicaSets::Appeared(const api::Pod& pod) {
  if (pod.metadata.deletion_timestamp) {
    return Gone(pod);
  }
  if (ControllerOf(pod.metadata) == nullptr) {
    return WakeThoseThatMatch(pod);
  }
  if (const std::optional<std::string> key = SetOf(pod)) {
    expectations_.SawCreation(*key);
    queue_.Add(*key);
  }
}

void ReplicaSets::Changed(const api::Pod& before, const api::Pod& now) {
  if (now.metadata.deletion_timestamp) {
    ControllerLeft(before);
    return Gone(now);
  }
  const api::OwnerReference* const was = ControllerOf(before.metadata);
  const api::OwnerReference* const is = ControllerOf(now.metadata);
  const bool changed_hands = (was == nullptr) != (is == nullptr) || (is != nullptr && *was != *is);
  if (changed_hands) {
    ControllerLeft(before);
  }
  if (is != nullptr) {
    if (const std::optional<std::string> key = SetOf(now)) {
      LookLater(*key, before, now);
      queue_.Add(*key);
    }
  } else if (changed_hands || before.metadata.labels != now.metadata.labels) {
    WakeThoseThatMatch(now);
  }
}

void ReplicaSets::ControllerLeft(const api::Pod& before) {
  if (const std::optional<std::string> key = SetOf(before)) {
    queue_.Add(*key);
  }
}

// A pod that became ready will be available without telling again.
void ReplicaSets::LookLater(const std::string& key, const api::Pod& before, const api::Pod& now) {
  const ReplicaSet::Pointer set = sets_.Find(key);
  const std::int64_t seconds = IntAt(set->root, {"spec", "minReadySeconds"}).value_or(0);
  if (seconds > 0 && !IsReady(before) && IsReady(now)) {
    queue_.AddAfter(std::chrono::seconds(seconds), key);
  }
}

void ReplicaSets::Gone(const api::Pod& pod) {
  if (const std::optional<std::string> key = SetOf(pod)) {
    expectations_.SawDeletion(*key, pod.metadata.name);
    queue_.Add(*key);
  }
}

void ReplicaSets::WakeThoseThatMatch(const api::Pod& orphan) {
  for (const ReplicaSet::Pointer& set : sets_.With(kReplicaSetsByNamespace, orphan.metadata.ns)) {
    const Result<PodSelector> selector = PodSelector::Read(At(set->root, {"spec", "selector"}));
    if (selector && selector->Matches(orphan.metadata.labels)) {
      queue_.Add(NameOfSet(*set));
    }
  }
}

// --- A look at one set.

loop::Task<Looked> ReplicaSets::Sync(std::string key) {
  const ReplicaSet::Pointer object = sets_.Find(key);
  if (object == nullptr) {
    expectations_.Forget(key);
    co_return Looked::kDone;
  }
  // Events of what we wrote come, and then this set is looked at again.
  if (!set_writes_.SeenIn(sets_.resource_version(), key) ||
      !pod_writes_.SeenIn(pods_.resource_version(), key)) {
    co_return Looked::kDone;
  }
  const Result<ReplicaSet> set = ReplicaSet::Read(object);
  if (!set) {
    context_.log(fmt::format("replicaset {}: {}", key, set.error().ToString()));
    co_return Looked::kDone;
  }
  co_return co_await SyncSet(key, *set);
}

loop::Task<Looked> ReplicaSets::SyncSet(const std::string& key, const ReplicaSet& set) {
  const bool may_act = expectations_.Met(key, Now()) && !set.metadata.deletion_timestamp;
  const Pods all = OwnedAndOrphans(set);
  const Answer<Pods> active = co_await Claim(key, set, all);
  if (!active) {
    context_.log(fmt::format("replicaset {}: {}", key, active.error().message));
    co_return Looked::kAgain;
  }
  Replicas replicas{.active = *active, .terminating = CountTerminating(set, all)};
  if (may_act) {
    replicas.trouble = co_await Manage(key, set, *active);
  }
  co_return co_await WriteStatus(key, set, replicas);
}

ReplicaSets::Pods ReplicaSets::OwnedAndOrphans(const ReplicaSet& set) const {
  Pods pods = pods_.With(kByOwner, set.metadata.uid);
  const Pods orphans = pods_.With(kByOwner, "orphans of " + set.metadata.ns);
  pods.insert(pods.end(), orphans.begin(), orphans.end());
  return pods;
}

std::optional<std::int64_t> ReplicaSets::CountTerminating(const ReplicaSet& set,
                                                          const Pods& pods) const {
  if (!context_.gates.Enabled(api::Gate::kDeploymentReplicaSetTerminatingReplicas)) {
    return std::nullopt;
  }
  return std::ranges::count_if(pods, [&](const PodPointer& pod) {
    const api::OwnerReference* const owner = ControllerOf(pod->metadata);
    return IsTerminating(*pod) && owner != nullptr && owner->uid == set.metadata.uid &&
           set.selector.Matches(pod->metadata.labels);
  });
}

loop::Task<Looked> ReplicaSets::WriteStatus(const std::string& key, const ReplicaSet& set,
                                            const Replicas& replicas) {
  const Time now = Now();
  const ReplicaSetStatus status = set.StatusWith(replicas, now);
  if (status != set.status) {
    client::Change change{.type = client::PatchType::kStrategicMerge,
                          .body = set.StatusPatch(status, replicas, now),
                          .subresource = "status"};
    const Answer<std::string> written =
        co_await api_.Patch(set_resource_, set.metadata.ns, set.metadata.name, std::move(change));
    if (!written) {
      co_return written.error().Is(client::refused::kNotFound) ? Looked::kDone : Looked::kAgain;
    }
    if (const auto object = client::Kind<client::Metadata>::Decode(*written)) {
      set_writes_.Note(key, object->metadata.resource_version);
    }
  }
  if (!replicas.trouble.empty()) {
    co_return Looked::kAgain;
  }
  LookWhenAvailable(key, set, Pods(replicas.active.begin(), replicas.active.end()), status);
  co_return Looked::kDone;
}

void ReplicaSets::LookWhenAvailable(const std::string& key, const ReplicaSet& set,
                                    const Pods& active, const ReplicaSetStatus& status) {
  if (set.min_ready_seconds > 0 && status.ready != status.available) {
    const Time now = Now();
    const Time fallback = now + std::chrono::seconds(set.min_ready_seconds);
    queue_.AddAfter(set.NextAvailable(active, now).value_or(fallback) - now, key);
  }
}

// --- Whose pods are whose.

// Active pods that are the set's, or are now; those that do not match any more are released.
loop::Task<Answer<ReplicaSets::Pods>> ReplicaSets::Claim(const std::string& key,
                                                         const ReplicaSet& set, const Pods& pods) {
  Pods claimed;
  std::optional<Answer<void>> may_adopt;
  std::optional<Failure> failure;
  for (const PodPointer& pod : pods) {
    if (!IsActive(*pod)) {
      continue;
    }
    const Answer<bool> is_ours = co_await ClaimPod(key, set, *pod, &may_adopt);
    if (!is_ours) {
      failure = is_ours.error();
    } else if (*is_ours) {
      claimed.push_back(pod);
    }
  }
  if (failure) {
    co_return tl::unexpected(*std::move(failure));
  }
  co_return std::move(claimed);
}

loop::Task<Answer<bool>> ReplicaSets::ClaimPod(const std::string& key, const ReplicaSet& set,
                                               const api::Pod& pod,
                                               std::optional<Answer<void>>* may_adopt) {
  const bool owned = ControllerOf(pod.metadata) != nullptr;
  const bool matches = set.selector.Matches(pod.metadata.labels);
  if (owned && matches) {
    co_return true;
  }
  if (set.metadata.deletion_timestamp || (!owned && !matches)) {
    co_return false;
  }
  if (owned) {
    co_return co_await Release(key, set, pod);
  }
  if (!may_adopt->has_value()) {
    may_adopt->emplace(co_await MayAdopt(set));
  }
  if (!may_adopt->value()) {
    co_return tl::unexpected(may_adopt->value().error());
  }
  co_return co_await Adopt(key, set, pod);
}

// Asks the server, since a set that is being deleted must not take pods that its deletion released.
loop::Task<Answer<void>> ReplicaSets::MayAdopt(const ReplicaSet& set) {
  const Answer<client::Metadata> fresh =
      co_await api_.GetMetadata(set_resource_, set.metadata.ns, set.metadata.name);
  if (!fresh) {
    co_return tl::unexpected(fresh.error());
  }
  if (fresh->metadata.uid != set.metadata.uid || fresh->metadata.deletion_timestamp) {
    co_return tl::unexpected(
        Failure{.message = fmt::format("original ReplicaSet {} is gone or being deleted",
                                       api::FullName(set.metadata.ns, set.metadata.name))});
  }
  co_return Answer<void>();
}

loop::Task<Answer<bool>> ReplicaSets::Adopt(const std::string& key, const ReplicaSet& set,
                                            const api::Pod& pod) {
  std::string body = fmt::format(
      R"({{"metadata":{{"ownerReferences":[{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"{}","uid":"{}","controller":true,"blockOwnerDeletion":true}}],"uid":"{}"}}}})",
      set.metadata.name, set.metadata.uid, pod.metadata.uid);
  const Answer<void> patched = co_await PatchPod(key, pod, std::move(body));
  if (!patched && !patched.error().Is(client::refused::kNotFound)) {
    co_return tl::unexpected(patched.error());
  }
  co_return patched.has_value();
}

loop::Task<Answer<bool>> ReplicaSets::Release(const std::string& key, const ReplicaSet& set,
                                              const api::Pod& pod) {
  std::string body = fmt::format(
      R"({{"metadata":{{"uid":"{}","ownerReferences":[{{"$patch":"delete","uid":"{}"}}]}}}})",
      pod.metadata.uid, set.metadata.uid);
  const Answer<void> patched = co_await PatchPod(key, pod, std::move(body));
  if (!patched && !patched.error().Is(client::refused::kNotFound) &&
      !patched.error().Is(client::refused::kInvalid)) {
    co_return tl::unexpected(patched.error());
  }
  co_return false;
}

loop::Task<Answer<void>> ReplicaSets::PatchPod(const std::string& key, const api::Pod& pod,
                                               std::string body) {
  client::Change change{.type = client::PatchType::kStrategicMerge, .body = std::move(body)};
  const Answer<std::string> patched =
      co_await api_.Patch(pod_resource_, pod.metadata.ns, pod.metadata.name, std::move(change));
  if (!patched) {
    co_return tl::unexpected(patched.error());
  }
  if (const auto object = client::Kind<client::Metadata>::Decode(*patched)) {
    pod_writes_.Note(key, object->metadata.resource_version);
  }
  co_return Answer<void>();
}

// --- Too few, too many.

// Why that did not work; empty: it did.
loop::Task<std::string> ReplicaSets::Manage(const std::string& key, const ReplicaSet& set,
                                            const Pods& active) {
  const std::int64_t excess = static_cast<std::int64_t>(active.size()) - set.replicas;
  if (excess < 0) {
    co_return co_await CreatePods(key, set, std::min(-excess, kBurst));
  }
  if (excess > 0) {
    co_return co_await DeletePods(key, set, active,
                                  static_cast<std::size_t>(std::min(excess, kBurst)));
  }
  co_return std::string();
}

// One, then two, four, …: where all would be refused, few are tried.
loop::Task<std::string> ReplicaSets::CreatePods(const std::string& key, const ReplicaSet& set,
                                                std::int64_t count) {
  expectations_.ExpectCreations(key, static_cast<int>(count), Now());
  const std::string body = set.PodText();
  std::string trouble;
  std::int64_t missing = count;
  std::int64_t untried = count;
  for (std::int64_t batch = 1; untried > 0 && missing == untried; batch *= 2) {
    std::vector<loop::Later<Answer<std::string>>> answers;
    answers.reserve(static_cast<std::size_t>(std::min(batch, untried)));
    for (std::int64_t n = 0; n < std::min(batch, untried); ++n) {
      answers.push_back(api_.Create(pod_resource_, set.metadata.ns, body));
    }
    untried -= static_cast<std::int64_t>(answers.size());
    for (loop::Later<Answer<std::string>>& answer : answers) {
      const Answer<std::string> created = co_await answer;
      missing -= TakeCreated(set, created, &trouble) ? 1 : 0;
    }
  }
  for (; missing > 0; --missing) {
    expectations_.SawCreation(key);
  }
  co_return trouble;
}

bool ReplicaSets::TakeCreated(const ReplicaSet& set, const Answer<std::string>& answer,
                              std::string* trouble) {
  if (answer) {
    const auto pod = client::Kind<client::Metadata>::Decode(*answer);
    Tell(set, EventType::kNormal, "SuccessfulCreate",
         fmt::format("Created pod: {}", pod ? pod->metadata.name : ""));
  } else if (!IsOfGoingNamespace(answer.error())) {
    *trouble = answer.error().message;
    Tell(set, EventType::kWarning, "FailedCreate",
         fmt::format("Error creating: {}", answer.error().message));
  }
  return answer.has_value();
}

loop::Task<std::string> ReplicaSets::DeletePods(const std::string& key, const ReplicaSet& set,
                                                const Pods& active, std::size_t count) {
  const Pods chosen = ChooseToDelete(set, active, count);
  std::set<std::string> names;
  for (const PodPointer& pod : chosen) {
    names.insert(pod->metadata.name);
  }
  expectations_.ExpectDeletions(key, std::move(names), Now());
  std::vector<loop::Later<Answer<std::string>>> answers;
  for (const PodPointer& pod : chosen) {
    answers.push_back(api_.Delete(pod_resource_, pod->metadata.ns, pod->metadata.name,
                                  {.uid = pod->metadata.uid}));
  }
  std::string trouble;
  for (std::size_t n = 0; n < chosen.size(); ++n) {
    loop::Later<Answer<std::string>>& answer = answers[n];
    const Answer<std::string> deleted = co_await answer;
    if (!TakeDeleted(set, *chosen[n], deleted, &trouble)) {
      expectations_.SawDeletion(key, chosen[n]->metadata.name);
    }
  }
  co_return trouble;
}

ReplicaSets::Pods ReplicaSets::ChooseToDelete(const ReplicaSet& set, const Pods& active,
                                              std::size_t count) const {
  if (count >= active.size()) {
    return active;
  }
  std::vector<DeletionCandidate> candidates = CandidatesOf(active, RelatedPods(set));
  const bool costs = context_.gates.Enabled(api::Gate::kPodDeletionCost);
  OrderForDeletion(candidates, Now(), {.deletion_costs = costs});
  Pods chosen;
  for (std::size_t n = 0; n < count; ++n) {
    chosen.push_back(std::move(candidates[n].pod));
  }
  return chosen;
}

// Pods of all sets that have the same owner, as those of a Deployment have.
ReplicaSets::Pods ReplicaSets::RelatedPods(const ReplicaSet& set) const {
  const std::vector<std::string> owner = OwnerKeys(*set.object);
  if (owner.empty()) {
    return {};
  }
  Pods related;
  for (const ReplicaSet::Pointer& sibling : sets_.With(kByOwner, owner.front())) {
    const Pods pods = pods_.With(kByOwner, client::MarksOf(*sibling).uid);
    related.insert(related.end(), pods.begin(), pods.end());
  }
  return related;
}

bool ReplicaSets::TakeDeleted(const ReplicaSet& set, const api::Pod& pod,
                              const Answer<std::string>& answer, std::string* trouble) {
  if (answer) {
    Tell(set, EventType::kNormal, "SuccessfulDelete",
         fmt::format("Deleted pod: {}", pod.metadata.name));
  } else if (!answer.error().Is(client::refused::kNotFound) &&
             !answer.error().Is(client::refused::kConflict)) {  // another pod of that name
    *trouble = fmt::format("unable to delete pods: {}", answer.error().message);
    Tell(set, EventType::kWarning, "FailedDelete",
         fmt::format("Error deleting: {}", answer.error().message));
  }
  return answer.has_value();
}

void ReplicaSets::Tell(const ReplicaSet& set, EventType type, std::string_view reason,
                       const std::string& message) {
  const api::ObjectMeta& meta = set.metadata;
  recorder_.Record({.api_version = "apps/v1",
                    .kind = "ReplicaSet",
                    .ns = meta.ns,
                    .name = meta.name,
                    .uid = meta.uid,
                    .resource_version = meta.resource_version},
                   type, reason, message);
}

}  // namespace

std::unique_ptr<client::Controller> MakeReplicaSets(client::ControllerContext& context) {
  return std::make_unique<ReplicaSets>(context);
}

}  // namespace quadra::lifecycle
