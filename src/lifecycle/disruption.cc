// The disruption controller: how many pods of a PodDisruptionBudget may go now, in its status; and
// pods that somebody meant to evict and did not are told so.
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lifecycle/disruption_budget.h"
#include "lifecycle/lifecycle.h"
#include "lifecycle/pod_patches.h"
#include "lifecycle/pod_state.h"
#include "lifecycle/scale_finder.h"
#include "lifecycle/tree.h"

namespace quadra::lifecycle {

namespace {

using client::Answer;
using client::EventType;
using client::Failure;
using client::Looked;

constexpr std::string_view kDisruptionByNamespace = "disruption-controller: namespace";
// For so long a pod may be marked for disruption without being deleted.
constexpr std::chrono::minutes kStaleAfter{2};

constexpr std::string_view kUnmanaged =
    "Pods selected by this PodDisruptionBudget (selector: {}) were found to be unmanaged. As a "
    "result, the status of the PDB cannot be calculated correctly, which may result in undefined "
    "behavior. To account for these pods please set \".spec.minAvailable\" field of the PDB to an "
    "integer value.";

// When a mark that nobody acted upon is to be taken off.
std::optional<Time> StaleFrom(const api::Pod& pod) {
  const api::PodCondition* const mark = FindCondition(pod, "DisruptionTarget");
  if (mark == nullptr || mark->status != "True" || mark->reason == "TerminationByKubelet" ||
      IsFinished(pod) || pod.metadata.deletion_timestamp) {
    return std::nullopt;
  }
  return mark->last_transition_time.value_or(Time()) + kStaleAfter;
}

class Disruption final : public client::Controller {
 public:
  explicit Disruption(client::ControllerContext& context)
      : api_(context.api),
        budgets_(
            context.informers.Objects(client::ResourceFor("policy/v1", "PodDisruptionBudget"))),
        pods_(context.informers.Of<api::Pod>()),
        scales_(context),
        recorder_(api_, "controllermanager"),
        queue_(api_.loop(), {.meter = context.work.For("disruption"), .workers = 1},
               [this](std::string key) { return Sync(std::move(key)); }),
        stale_(api_.loop(), {.meter = context.work.For("stale_pod_disruption"), .workers = 1},
               [this](std::string pod) { return Unmark(std::move(pod)); }) {
    WatchBudgets();
    WatchPods();
  }

  void Start() override {
    queue_.Start();
    stale_.Start();
  }
  bool idle() const override { return queue_.idle() && stale_.idle(); }

 private:
  using Pods = std::vector<PodPointer>;

  // What the owners of some pods want altogether.
  struct Wanted {
    std::int64_t scale = 0;
    bool unmanaged = false;  // a pod has no owner
  };

  Time Now() const { return api_.loop().Now(); }

  void WatchBudgets();
  void WatchPods();
  void WakeBudgetsOf(const api::Pod& pod);
  void NoteMark(const api::Pod& pod);

  loop::Task<Looked> Sync(std::string key);
  loop::Task<Answer<BudgetCounts>> Count(const Budget& budget, const Pods& pods);
  loop::Task<Answer<Wanted>> WantedBy(const Pods& pods);
  Pods PodsOf(const Budget& budget) const;
  loop::Task<Looked> Settle(const std::string& key, const Budget& budget, const Pods& pods,
                            BudgetCounts counts);
  loop::Task<Looked> AllowNone(const Budget& budget, std::string_view reason, std::string_view what,
                               std::string why);
  loop::Task<Looked> Write(const Budget& budget, std::string patch);
  loop::Task<Looked> Unmark(std::string name);
  void Tell(const Budget& budget, EventType type, std::string_view reason,
            const std::string& message);
  void TellNotDeleted(const Budget& budget, const Pods& pods);

  client::Api& api_;
  client::Informer<api::Object>& budgets_;
  client::Informer<api::Pod>& pods_;
  const client::Resource budget_resource_ = client::ResourceFor("policy/v1", "PodDisruptionBudget");
  const client::Resource pod_resource_ = client::ResourceOf<api::Pod>();
  ScaleFinder scales_;
  client::EventRecorder recorder_;
  client::WorkQueue queue_;  // budgets; last, with the next: looks use all of the above
  client::WorkQueue stale_;  // pods that may have been marked in vain
};

void Disruption::WatchBudgets() {
  const auto name_of = [](const api::Object& budget) {
    const client::Marks marks = client::MarksOf(budget);
    return api::FullName(marks.ns, marks.name);
  };
  budgets_.AddIndex(std::string(kDisruptionByNamespace), [](const api::Object& budget) {
    return std::vector<std::string>{std::string(client::MarksOf(budget).ns)};
  });
  budgets_.OnChange(
      {.added = [this, name_of](const api::Object& budget) { queue_.Add(name_of(budget)); },
       .updated = [this, name_of](const api::Object&,
                                  const api::Object& now) { queue_.Add(name_of(now)); }});
}

void Disruption::WatchPods() {
  pods_.AddIndex(std::string(kDisruptionByNamespace),
                 [](const api::Pod& pod) { return std::vector<std::string>{pod.metadata.ns}; });
  const auto seen = [this](const api::Pod& pod) {
    WakeBudgetsOf(pod);
    NoteMark(pod);
  };
  const auto changed = [this, seen](const api::Pod& before, const api::Pod& now) {
    if (before.metadata.labels != now.metadata.labels) {
      WakeBudgetsOf(before);
    }
    seen(now);
  };
  pods_.OnChange({.added = seen, .updated = changed, .deleted = [this](const api::Pod& pod) {
                    WakeBudgetsOf(pod);
                  }});
}

void Disruption::WakeBudgetsOf(const api::Pod& pod) {
  std::vector<std::string> names;
  for (const Budget::Pointer& object : budgets_.With(kDisruptionByNamespace, pod.metadata.ns)) {
    const Result<PodSelector> selector = PodSelector::Read(At(object->root, {"spec", "selector"}));
    if (selector && selector->Matches(pod.metadata.labels)) {
      names.emplace_back(client::MarksOf(*object).name);
      queue_.Add(api::FullName(pod.metadata.ns, names.back()));
    }
  }
  if (names.size() > 1) {
    recorder_.Record(ReferenceTo(pod), EventType::kWarning, "MultiplePodDisruptionBudgets",
                     fmt::format("Pod \"{}\"/\"{}\" matches multiple PodDisruptionBudgets.  Chose "
                                 "\"{}\" arbitrarily.",
                                 pod.metadata.ns, pod.metadata.name, names.front()));
  }
}

void Disruption::NoteMark(const api::Pod& pod) {
  if (const std::optional<Time> stale = StaleFrom(pod)) {
    stale_.AddAfter(*stale - Now(), api::FullNameOf(pod));
  }
}

loop::Task<Looked> Disruption::Sync(std::string key) {
  const Budget::Pointer object = budgets_.Find(key);
  if (object == nullptr) {
    co_return Looked::kDone;
  }
  const Budget budget = Budget::Read(object);
  if (!budget.selector) {
    co_return co_await AllowNone(budget, "NoPods", "Failed to get pods",
                                 budget.selector.error().message);
  }
  const Pods pods = PodsOf(budget);
  if (pods.empty()) {
    Tell(budget, EventType::kNormal, "NoPods", "No matching pods found");
  }
  const Answer<BudgetCounts> counts = co_await Count(budget, pods);
  if (!counts) {
    co_return co_await AllowNone(budget, "CalculateExpectedPodCountFailed",
                                 "Failed to calculate the number of expected pods",
                                 counts.error().message);
  }
  co_return co_await Settle(key, budget, pods, *counts);
}

Disruption::Pods Disruption::PodsOf(const Budget& budget) const {
  Pods pods = pods_.With(kDisruptionByNamespace, budget.metadata.ns);
  std::erase_if(
      pods, [&](const PodPointer& pod) { return !budget.selector->Matches(pod->metadata.labels); });
  return pods;
}

loop::Task<Answer<BudgetCounts>> Disruption::Count(const Budget& budget, const Pods& pods) {
  PodNumbers numbers{.pods = static_cast<std::int64_t>(pods.size())};
  if (budget.NeedsScale()) {
    const Answer<Wanted> wanted = co_await WantedBy(pods);
    if (!wanted) {
      co_return tl::unexpected(wanted.error());
    }
    numbers.scale = wanted->scale;
    if (wanted->unmanaged) {
      Tell(budget, EventType::kWarning, "UnmanagedPods",
           fmt::format(kUnmanaged,
                       PodSelector::GoText(At(budget.object->root, {"spec", "selector"}))));
    }
  }
  const Result<BudgetCounts> counts = budget.CountsFor(numbers);
  if (!counts) {
    co_return tl::unexpected(Failure{.message = counts.error().message});
  }
  co_return *counts;
}

// Each owner counts once, whatever stands between it and the pods.
loop::Task<Answer<Disruption::Wanted>> Disruption::WantedBy(const Pods& pods) {
  std::map<std::string, std::int64_t> scales;
  Wanted wanted;
  for (const PodPointer& pod : pods) {
    const api::OwnerReference* const owner = ControllerOf(pod->metadata);
    if (owner == nullptr) {
      wanted.unmanaged = true;
      continue;
    }
    if (scales.contains(owner->uid)) {
      continue;
    }
    const Answer<std::optional<Scale>> scale = co_await scales_.Find(pod->metadata.ns, *owner);
    if (!scale) {
      co_return tl::unexpected(scale.error());
    }
    const std::optional<Scale>& found = *scale;
    if (!found) {
      co_return tl::unexpected(Failure{
          .message = fmt::format("found no controllers for pod \"{}\"", pod->metadata.name)});
    }
    scales[found->uid] = found->replicas;
  }
  for (const auto& [uid, replicas] : scales) {
    wanted.scale += replicas;
  }
  co_return wanted;
}

loop::Task<Looked> Disruption::Settle(const std::string& key, const Budget& budget,
                                      const Pods& pods, BudgetCounts counts) {
  const Time now = Now();
  const Disrupted disrupted = budget.DisruptedAmong(pods, now);
  TellNotDeleted(budget, disrupted.not_deleted);
  if (disrupted.look_again) {
    queue_.AddAfter(*disrupted.look_again - now + std::chrono::milliseconds(1), key);
  }
  const BudgetStatus status = budget.StatusWith(counts, pods, disrupted, now);
  if (budget.Has(status)) {
    co_return Looked::kDone;
  }
  co_return co_await Write(budget, budget.StatusPatch(status, now));
}

// Where it cannot be said how many may go, none may.
loop::Task<Looked> Disruption::AllowNone(const Budget& budget, std::string_view reason,
                                         std::string_view what, std::string why) {
  Tell(budget, EventType::kWarning, reason, fmt::format("{}: {}", what, why));
  std::optional<std::string> patch = budget.FailurePatch(why, Now());
  if (!patch) {  // no ?: around co_await: g++ 12 would ask on both ways
    co_return Looked::kDone;
  }
  co_return co_await Write(budget, *std::move(patch));
}

loop::Task<Looked> Disruption::Write(const Budget& budget, std::string patch) {
  client::Change change{.type = client::PatchType::kStrategicMerge,
                        .body = std::move(patch),
                        .subresource = "status"};
  const Answer<std::string> written = co_await api_.Patch(budget_resource_, budget.metadata.ns,
                                                          budget.metadata.name, std::move(change));
  const bool gone = !written && written.error().Is(client::refused::kNotFound);
  co_return written || gone ? Looked::kDone : Looked::kAgain;
}

loop::Task<Looked> Disruption::Unmark(std::string name) {
  const PodPointer pod = pods_.Find(name);
  const std::optional<Time> stale = pod == nullptr ? std::nullopt : StaleFrom(*pod);
  if (!stale) {
    co_return Looked::kDone;
  }
  if (*stale > Now()) {
    NoteMark(*pod);
    co_return Looked::kDone;
  }
  const ConditionChange off{
      .type = "DisruptionTarget", .status = "False", .of_this_revision = true};
  std::optional<client::Change> change = SetCondition(*pod, off, Now());
  if (!change) {
    co_return Looked::kDone;
  }
  const Answer<std::string> written =
      co_await api_.Patch(pod_resource_, pod->metadata.ns, pod->metadata.name, *std::move(change));
  const bool gone = !written && written.error().Is(client::refused::kNotFound);
  co_return written || gone ? Looked::kDone : Looked::kAgain;
}

void Disruption::Tell(const Budget& budget, EventType type, std::string_view reason,
                      const std::string& message) {
  const api::ObjectMeta& meta = budget.metadata;
  recorder_.Record({.api_version = "policy/v1",
                    .kind = "PodDisruptionBudget",
                    .ns = meta.ns,
                    .name = meta.name,
                    .uid = meta.uid,
                    .resource_version = meta.resource_version},
                   type, reason, message);
}

void Disruption::TellNotDeleted(const Budget& budget, const Pods& pods) {
  for (const PodPointer& pod : pods) {
    recorder_.Record(ReferenceTo(*pod), EventType::kWarning, "NotDeleted",
                     fmt::format("Pod was expected by PDB {} to be deleted but it wasn't",
                                 api::FullNameOf(budget)));
  }
}

}  // namespace

std::unique_ptr<client::Controller> MakeDisruption(client::ControllerContext& context) {
  return std::make_unique<Disruption>(context);
}

}  // namespace quadra::lifecycle
