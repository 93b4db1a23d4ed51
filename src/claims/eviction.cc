#include "claims/eviction.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "absl/container/flat_hash_map.h"
#include "api/vocabulary.h"
#include "claims/claim_patches.h"
#include "claims/eviction_meters.h"
#include "claims/pod_eviction.h"
#include "claims/pod_needs.h"
#include "claims/recent.h"
#include "claims/rule_counts.h"
#include "claims/rule_status.h"

namespace quadra::claims {
namespace {

using client::Answer;
using client::Looked;
using RulePointer = std::shared_ptr<const api::DeviceTaintRule>;

constexpr std::string_view kName = "device-taint-eviction-controller";
constexpr std::chrono::seconds kRuleStatusPeriod{10};

// A pod, told from others of its name: what a key of the queue names.
struct PodId {
  std::string ns;
  std::string name;
  std::string uid;
};

PodId IdOf(const api::Pod& pod) { return {pod.metadata.ns, pod.metadata.name, pod.metadata.uid}; }
std::string KeyOf(const PodId& id) { return fmt::format("pod:{}/{}/{}", id.ns, id.name, id.uid); }
std::string KeyOf(const api::DeviceTaintRule& rule) {
  return fmt::format("rule:{}/{}", rule.metadata.name, rule.metadata.uid);
}

// The key without what it begins with, in its parts.
std::vector<std::string> PartsOf(const std::string& key) {
  std::vector<std::string> parts;
  for (std::size_t at = key.find(':') + 1; at <= key.size();) {
    const std::size_t end = std::min(key.find('/', at), key.size());
    parts.push_back(key.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::vector<std::string> PoolsOf(const api::ResourceClaim& claim) {
  std::set<std::string> pools;
  for (const auto& device : DevicesOf(claim)) {
    pools.insert(PoolKey(device.driver, device.pool));
  }
  return {pools.begin(), pools.end()};
}

bool IsEvicting(const api::DeviceTaintRule& rule) { return rule.spec.taint.effect == "NoExecute"; }

// What the controller knows and does. Handlers of informers outlive it, and hold it weakly.
class EvictionWork {
 public:
  explicit EvictionWork(client::ControllerContext& context);

  void Start() {
    started_ = true;
    queue_.Start();
  }
  bool idle() const { return queue_.idle(); }

  // --- What has changed; null: it was not there, or is not any more.
  void OnPod(const api::Pod* before, const api::Pod* now);
  void OnClaim(const api::ResourceClaim* before, const api::ResourceClaim* now);
  void OnSlice(const api::ResourceSlice* before, const api::ResourceSlice* now);
  void OnRule(const api::DeviceTaintRule* before, const api::DeviceTaintRule* now);

  client::Informer<api::Pod>& pods;
  client::Informer<api::ResourceClaim>& claims;
  client::Informer<api::ResourceSlice>& slices;
  client::Informer<api::DeviceTaintRule>* const rules;  // null: there are none

 private:
  struct Pending {
    PodId id;
    PodEviction eviction;
  };

  TaintSources Sources() const;
  std::optional<PodEviction> Judge(const api::Pod& pod, const TaintSources& sources) const;
  void Check(const api::Pod& pod);
  void CheckConsumers(const api::ResourceClaim& claim);
  void CheckDevices(const std::string& pool_key, const std::vector<std::string>& devices);
  void CheckSelected(const api::DeviceTaintRule& rule);
  void Cancel(const PodId& id);
  void UpdateRulesLater(const std::set<std::string>& uids);
  void Tell(const PodId& id, std::string_view message);

  loop::Task<Looked> LookAt(std::string key);
  loop::Task<Answer<void>> LookAtPod(PodId id);
  loop::Task<Answer<void>> Evict(PodId id, PodEviction eviction);
  // Whether it was us who deleted it.
  loop::Task<Answer<bool>> Delete(PodId id);
  loop::Task<Answer<void>> MarkAsDisrupted(api::Pod pod);
  loop::Task<Answer<void>> LookAtRule(std::string name, std::string uid);
  RuleCounts CountFor(const api::DeviceTaintRule& rule) const;

  client::Api& api_;
  const std::function<void(std::string_view)> log_;
  EvictionMeters meters_;
  client::EventRecorder events_;
  TaintedDevices tainted_;
  std::map<std::string, RulePointer> evicting_;               // by name
  absl::flat_hash_map<std::string, Pending> pending_;         // by uid
  Recent<Nothing> evicted_{500};                              // by uid
  absl::flat_hash_map<std::string, std::size_t> evicted_by_;  // number of pods by uid of the rule
  bool started_ = false;
  client::WorkQueue queue_;  // last: what it runs uses all of the above
};

bool HasRules(const client::ControllerContext& context) {
  return context.gates.Enabled(api::Gate::kDRADeviceTaintRules) &&
         context.api.Serves(context.api.Served(client::ResourceOf<api::DeviceTaintRule>()));
}

EvictionWork::EvictionWork(client::ControllerContext& context)
    : pods(context.informers.Of<api::Pod>()),
      claims(context.informers.Of<api::ResourceClaim>()),
      slices(context.informers.Of<api::ResourceSlice>()),
      rules(HasRules(context) ? &context.informers.Of<api::DeviceTaintRule>() : nullptr),
      api_(context.api),
      log_(context.log),
      meters_(context.metrics),
      events_(context.api, std::string(kName)),
      queue_(context.api.loop(),
             {.meter = context.work.For("device-taint-eviction-controller"), .workers = 8},
             [this](std::string key) { return LookAt(std::move(key)); }) {}

TaintSources EvictionWork::Sources() const {
  TaintSources sources{.published = &tainted_, .rules = {}};
  for (const auto& [name, rule] : evicting_) {
    sources.rules.push_back(rule.get());
  }
  return sources;
}

std::optional<PodEviction> EvictionWork::Judge(const api::Pod& pod,
                                               const TaintSources& sources) const {
  const auto look_up = [this](const std::string& name) { return claims.Find(name).get(); };
  return EvictionOf(pod, look_up, sources, api_.loop().Now());
}

void EvictionWork::Check(const api::Pod& pod) {
  std::optional<PodEviction> eviction = Judge(pod, Sources());
  const PodId id = IdOf(pod);
  if (!eviction) {
    return Cancel(id);
  }
  UpdateRulesLater(eviction->rules);
  queue_.AddAfter(eviction->at - api_.loop().Now(), KeyOf(id));
  pending_.insert_or_assign(id.uid, Pending{id, *std::move(eviction)});
}

void EvictionWork::Cancel(const PodId& id) {
  if (pending_.erase(id.uid) > 0 && started_) {
    Tell(id, "Cancelling deletion");
  }
}

// Not at once: more pods may be about to go.
void EvictionWork::UpdateRulesLater(const std::set<std::string>& uids) {
  for (const auto& [name, rule] : evicting_) {
    if (uids.contains(rule->metadata.uid)) {
      queue_.AddAfter(kRuleStatusPeriod, KeyOf(*rule));
    }
  }
}

void EvictionWork::Tell(const PodId& id, std::string_view message) {
  const client::ObjectReference about{.api_version = "v1",
                                      .kind = "Pod",
                                      .ns = id.ns,
                                      .name = id.name,
                                      .uid = id.uid,
                                      .resource_version = ""};
  events_.Record(about, client::EventType::kNormal, "DeviceTaintManagerEviction", message);
}

void EvictionWork::OnPod(const api::Pod* before, const api::Pod* now) {
  if (now == nullptr) {
    pending_.erase(before->metadata.uid);
    return;
  }
  const auto decisive = [](const api::Pod& pod) {
    return std::tie(pod.spec.node_name, pod.status.resource_claim_statuses,
                    pod.status.extended_resource_claim_status);
  };
  if (before == nullptr || decisive(*before) != decisive(*now)) {
    Check(*now);
  }
}

void EvictionWork::CheckConsumers(const api::ResourceClaim& claim) {
  for (const auto& consumer : claim.status.reserved_for) {
    const PodPointer pod = pods.Find(claim.metadata.ns, consumer.name);
    if (pod != nullptr && pod->metadata.uid == consumer.uid) {
      Check(*pod);
    }
  }
}

void EvictionWork::OnClaim(const api::ResourceClaim* before, const api::ResourceClaim* now) {
  if (before != nullptr && now != nullptr && before->status.allocation == now->status.allocation &&
      before->status.reserved_for == now->status.reserved_for) {
    return;
  }
  for (const api::ResourceClaim* const claim : {before, now}) {
    if (claim != nullptr) {
      CheckConsumers(*claim);
    }
  }
}

void EvictionWork::CheckDevices(const std::string& pool_key,
                                const std::vector<std::string>& devices) {
  const auto uses = [&](const auto& device) {
    return PoolKey(device.driver, device.pool) == pool_key &&
           std::ranges::find(devices, device.device) != devices.end();
  };
  for (const ClaimPointer& claim : claims.With("eviction.pool", pool_key)) {
    if (std::ranges::any_of(DevicesOf(*claim), uses)) {
      CheckConsumers(*claim);
    }
  }
}

void EvictionWork::OnSlice(const api::ResourceSlice* before, const api::ResourceSlice* now) {
  const auto key = [](const api::ResourceSlice& slice) {
    return PoolKey(slice.spec.driver, slice.spec.pool.name);
  };
  if (before != nullptr && (now == nullptr || key(*before) != key(*now))) {
    CheckDevices(key(*before), tainted_.Remove(*before));
  }
  if (now != nullptr) {
    if (const std::vector<std::string> changed = tainted_.Put(*now); !changed.empty()) {
      CheckDevices(key(*now), changed);
    }
  }
}

void EvictionWork::CheckSelected(const api::DeviceTaintRule& rule) {
  const auto selects = [&](const auto& device) {
    return Selects(rule, device.driver, device.pool, device.device);
  };
  for (const ClaimPointer& claim : claims.All()) {
    if (std::ranges::any_of(DevicesOf(*claim), selects)) {
      CheckConsumers(*claim);
    }
  }
}

void EvictionWork::OnRule(const api::DeviceTaintRule* before, const api::DeviceTaintRule* now) {
  if (before != nullptr && now != nullptr && before->spec == now->spec) {
    return;
  }
  if (before != nullptr) {
    evicting_.erase(before->metadata.name);
  }
  if (now != nullptr) {
    queue_.Add(KeyOf(*now));
    if (IsEvicting(*now)) {
      evicting_[now->metadata.name] = std::make_shared<const api::DeviceTaintRule>(*now);
    }
  } else {
    evicted_by_.erase(before->metadata.uid);
  }
  for (const api::DeviceTaintRule* const rule : {before, now}) {
    if (rule != nullptr && IsEvicting(*rule)) {
      CheckSelected(*rule);
    }
  }
}

loop::Task<Looked> EvictionWork::LookAt(std::string key) {
  std::vector<std::string> parts = PartsOf(key);
  loop::Task<Answer<void>> look =
      parts.size() == 3 ? LookAtPod({std::move(parts[0]), std::move(parts[1]), std::move(parts[2])})
                        : LookAtRule(std::move(parts[0]), std::move(parts[1]));
  const Answer<void> done = co_await look;
  if (!done) {
    log_(fmt::format("{}: {}: {}", kName, key, done.error().message));
  }
  co_return done ? Looked::kDone : Looked::kAgain;
}

loop::Task<Answer<void>> EvictionWork::LookAtPod(PodId id) {
  const auto found = pending_.find(id.uid);
  if (found == pending_.end() || evicted_.Find(id.uid) != nullptr) {
    co_return Answer<void>();
  }
  const PodEviction eviction = found->second.eviction;
  if (const auto left = eviction.at - api_.loop().Now(); left.count() > 0) {
    queue_.AddAfter(left, KeyOf(id));
    co_return Answer<void>();
  }
  const Answer<void> evicted = co_await Evict(id, eviction);
  co_return evicted;
}

loop::Task<Answer<void>> EvictionWork::Evict(PodId id, PodEviction eviction) {
  const Answer<bool> deleted = co_await Delete(id);
  if (!deleted) {
    co_return tl::unexpected(deleted.error());
  }
  pending_.erase(id.uid);
  evicted_.Put(id.uid, {});
  if (!*deleted) {
    co_return Answer<void>();
  }
  meters_.deletions.With({}).Add();
  const std::chrono::duration<double> late = api_.loop().Now() - eviction.at;
  meters_.durations.With({}).Observe(late.count());
  for (const std::string& rule : eviction.rules) {
    ++evicted_by_[rule];
  }
  UpdateRulesLater(eviction.rules);
  co_return Answer<void>();
}

loop::Task<Answer<bool>> EvictionWork::Delete(PodId id) {
  const Answer<api::Pod> live = co_await api_.Get<api::Pod>(id.ns, id.name);
  if (!live && !live.error().Is(client::refused::kNotFound)) {
    co_return tl::unexpected(live.error());
  }
  if (!live || live->metadata.uid != id.uid || live->metadata.deletion_timestamp) {
    co_return false;
  }
  Tell(id, "Marking for deletion");
  const Answer<void> marked = co_await MarkAsDisrupted(*live);
  if (!marked) {
    co_return tl::unexpected(marked.error());
  }
  const client::Resource resource = client::ResourceOf<api::Pod>();
  const client::Deletion deletion{.uid = id.uid};
  const Answer<std::string> deleted = co_await api_.Delete(resource, id.ns, id.name, deletion);
  if (!deleted && !deleted.error().Is(client::refused::kNotFound)) {
    co_return tl::unexpected(deleted.error());
  }
  co_return deleted.has_value();
}

loop::Task<Answer<void>> EvictionWork::MarkAsDisrupted(api::Pod pod) {
  api::Condition condition;
  condition.type = "DisruptionTarget";
  condition.status = "True";
  condition.reason = "DeletionByDeviceTaintManager";
  condition.message = "Device Taint manager: deleting due to NoExecute taint";
  condition.last_transition_time = api_.loop().Now();
  for (const api::PodCondition& there : pod.status.conditions) {
    if (there.type == condition.type && there.status == condition.status &&
        there.reason == condition.reason && there.message == condition.message) {
      co_return Answer<void>();
    }
  }
  const client::Resource resource = client::ResourceOf<api::Pod>();
  client::Change change{.type = client::PatchType::kStrategicMerge,
                        .body = ConditionPatch(pod.metadata.uid, Encoded(condition)),
                        .subresource = "status"};
  const Answer<std::string> written =
      co_await api_.Patch(resource, pod.metadata.ns, pod.metadata.name, std::move(change));
  co_return written ? Answer<void>() : tl::unexpected(written.error());
}

RuleCounts EvictionWork::CountFor(const api::DeviceTaintRule& rule) const {
  const Copies copies{.pods = pods, .claims = claims, .slices = slices};
  const bool evicts = IsEvicting(rule);
  RuleCounts counts;
  if (evicts || rule.spec.taint.effect == "None") {
    const TaintSources sources =
        evicts ? Sources() : TaintSources{.published = &tainted_, .rules = {&rule}};
    counts = CountEffect(rule, copies, sources, api_.loop().Now());
  }
  const auto evicted = evicted_by_.find(rule.metadata.uid);
  counts.evicted = evicted == evicted_by_.end() ? 0 : evicted->second;
  return counts;
}

loop::Task<Answer<void>> EvictionWork::LookAtRule(std::string name, std::string uid) {
  const RulePointer rule = rules->Find("", name);
  if (rule == nullptr || rule->metadata.uid != uid) {
    co_return Answer<void>();
  }
  const Time now = api_.loop().Now();
  const api::Condition* const before = FindEvictionCondition(*rule);
  if (before != nullptr && before->observed_generation == rule->metadata.generation &&
      before->last_transition_time && now - *before->last_transition_time < kRuleStatusPeriod) {
    queue_.AddAfter(kRuleStatusPeriod - (now - *before->last_transition_time), KeyOf(*rule));
    co_return Answer<void>();
  }
  api::Condition condition = EvictionCondition(*rule, CountFor(*rule));
  if (before != nullptr) {
    condition.last_transition_time = before->last_transition_time;
    if (condition == *before) {
      co_return Answer<void>();
    }
  }
  condition.last_transition_time = now;
  const client::Resource resource = api_.Served(client::ResourceOf<api::DeviceTaintRule>());
  client::Change change{.type = client::PatchType::kStrategicMerge,
                        .body = ConditionPatch(uid, Encoded(condition)),
                        .subresource = "status"};
  const Answer<std::string> written = co_await api_.Patch(resource, "", name, std::move(change));
  co_return written ? Answer<void>() : tl::unexpected(written.error());
}

template <typename T>
void Follow(const std::shared_ptr<EvictionWork>& work, client::Informer<T>& informer,
            void (EvictionWork::*handle)(const T*, const T*)) {
  const auto tell = [weak = std::weak_ptr(work), handle](const T* before, const T* now) {
    if (const std::shared_ptr<EvictionWork> alive = weak.lock()) {
      ((*alive).*handle)(before, now);
    }
  };
  informer.OnChange({.added = [tell](const T& now) { tell(nullptr, &now); },
                     .updated = [tell](const T& before, const T& now) { tell(&before, &now); },
                     .deleted = [tell](const T& last) { tell(&last, nullptr); }});
}

class TaintEviction final : public client::Controller {
 public:
  explicit TaintEviction(std::shared_ptr<EvictionWork> work) : work_(std::move(work)) {}
  void Start() override { work_->Start(); }
  bool idle() const override { return work_->idle(); }

 private:
  const std::shared_ptr<EvictionWork> work_;
};

// Where the feature is off.
class NoEviction final : public client::Controller {
 public:
  void Start() override {}
  bool idle() const override { return true; }
};

}  // namespace

std::unique_ptr<client::Controller> MakeTaintEviction(client::ControllerContext& context) {
  if (!context.gates.Enabled(api::Gate::kDRADeviceTaints)) {
    return std::make_unique<NoEviction>();
  }
  auto work = std::make_shared<EvictionWork>(context);
  work->claims.AddIndex("eviction.pool", PoolsOf);
  Follow(work, work->pods, &EvictionWork::OnPod);
  Follow(work, work->claims, &EvictionWork::OnClaim);
  Follow(work, work->slices, &EvictionWork::OnSlice);
  if (work->rules != nullptr) {
    Follow(work, *work->rules, &EvictionWork::OnRule);
  }
  return std::make_unique<TaintEviction>(std::move(work));
}

}  // namespace quadra::claims
