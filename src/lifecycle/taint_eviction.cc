// Taint eviction: pods leave nodes whose NoExecute taints they do not tolerate, at once or when the
// time for which they tolerate them has passed.
#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "absl/container/flat_hash_map.h"
#include "lifecycle/lifecycle.h"
#include "lifecycle/pod_patches.h"
#include "lifecycle/toleration_time.h"
#include "metrics/registry.h"

namespace quadra::lifecycle {

namespace {

using client::Answer;
using client::Failure;
using client::Looked;

constexpr std::size_t kEvictionWorkers = 8;
constexpr std::string_view kEvictionByNode = "taint-eviction-controller: node";

constexpr ConditionChange kDisruptionTarget = {
    .type = "DisruptionTarget",
    .status = "True",
    .reason = "DeletionByTaintManager",
    .message = "Taint manager: deleting due to NoExecute taint"};

bool SaysGone(const Failure& failure) {
  return failure.Is(client::refused::kNotFound) || failure.Is(client::refused::kConflict);
}

// Somebody has done it already.
bool IsLeaving(const api::Pod& pod) {
  return pod.metadata.deletion_timestamp && !SetCondition(pod, kDisruptionTarget, Time());
}

constexpr std::array kTaintDeletionSeconds = {0.005, 0.025, 0.1,  0.5,   1.0,   2.5,
                                              10.0,  30.0,  60.0, 120.0, 180.0, 240.0};

// REQUIRES: the registry has none yet, and outlives this.
struct TaintEvictionMeters {
  explicit TaintEvictionMeters(metrics::Registry& registry)
      : deletions(registry
                      .Counters({.name = "taint_eviction_controller_pod_deletions_total",
                                 .help = "How many pods were deleted for taints of nodes."})
                      .With({})),
        seconds(registry
                    .Histograms({.name = "taint_eviction_controller_pod_deletion_duration_seconds",
                                 .help = "Seconds from when a taint ended a pod until it was "
                                         "deleted.",
                                 .bounds = kTaintDeletionSeconds})
                    .With({})) {}

  metrics::Counter& deletions;
  metrics::Histogram& seconds;
};

class TaintEviction final : public client::Controller {
 public:
  explicit TaintEviction(client::ControllerContext& context)
      : api_(context.api),
        nodes_(context.informers.Of<api::Node>()),
        pods_(context.informers.Of<api::Pod>()),
        comparisons_(context.gates.Enabled(api::Gate::kTaintTolerationComparisonOperators)),
        meters_(context.metrics),
        recorder_(api_, "taint-eviction-controller"),
        queue_(api_.loop(),
               {.meter = context.work.For("noexec_taint_pod"), .workers = kEvictionWorkers},
               [this](std::string pod) { return LookAt(std::move(pod)); }) {
    WatchNodes();
    WatchPods();
  }

  void Start() override { queue_.Start(); }
  bool idle() const override { return queue_.idle(); }

 private:
  // A deletion that is to come.
  struct Plan {
    std::string uid;
    Time due;
    bool going = false;  // it is being deleted for it
  };

  void WatchNodes();
  void WatchPods();
  void WakePodsOf(const std::string& node);
  loop::Task<Looked> LookAt(std::string name);
  bool IsDueNow(const std::string& name, const api::Pod& pod);
  bool MustGoNow(const std::string& name, const api::Pod& pod, const api::Node& node);
  void MakePlan(const std::string& name, const api::Pod& pod, std::chrono::seconds delay);
  void Cancel(const std::string& name);
  loop::Task<Looked> Evict(const std::string& name, const api::Pod& pod);
  void Tell(const api::Pod& pod, std::string_view what);
  void CountDeletion(Time due);

  client::Api& api_;
  client::Informer<api::Node>& nodes_;
  client::Informer<api::Pod>& pods_;
  const bool comparisons_;
  const client::Resource resource_ = client::ResourceOf<api::Pod>();
  TaintEvictionMeters meters_;
  client::EventRecorder recorder_;
  absl::flat_hash_map<std::string, Plan> plans_;  // by full name of the pod
  client::WorkQueue queue_;                       // last: looks use all of the above
};

// A node that goes takes nothing back: what was planned for its pods stays planned.
void TaintEviction::WatchNodes() {
  const auto changed = [this](const api::Node& before, const api::Node& now) {
    if (NoExecuteTaints(before.spec.taints) != NoExecuteTaints(now.spec.taints)) {
      WakePodsOf(now.metadata.name);
    }
  };
  const auto added = [this](const api::Node& node) {
    if (!NoExecuteTaints(node.spec.taints).empty()) {
      WakePodsOf(node.metadata.name);
    }
  };
  nodes_.OnChange({.added = added, .updated = changed});
}

void TaintEviction::WatchPods() {
  pods_.AddIndex(std::string(kEvictionByNode),
                 [](const api::Pod& pod) { return std::vector<std::string>{pod.spec.node_name}; });
  const auto wake = [this](const api::Pod& pod) { queue_.Add(api::FullNameOf(pod)); };
  const auto changed = [wake](const api::Pod& before, const api::Pod& now) {
    if (before.spec.node_name != now.spec.node_name ||
        before.spec.tolerations != now.spec.tolerations) {
      wake(now);
    }
  };
  const auto deleted = [this](const api::Pod& pod) {
    const auto plan = plans_.extract(api::FullNameOf(pod));
    if (!plan.empty() && !plan.mapped().going) {
      Tell(pod, "Cancelling deletion of");
    }
  };
  pods_.OnChange({.added = wake, .updated = changed, .deleted = deleted});
}

void TaintEviction::WakePodsOf(const std::string& node) {
  for (const auto& pod : pods_.With(kEvictionByNode, node)) {
    queue_.Add(api::FullNameOf(*pod));
  }
}

loop::Task<Looked> TaintEviction::LookAt(std::string name) {
  const auto pod = pods_.Find(name);
  if (pod == nullptr || pod->spec.node_name.empty() || IsLeaving(*pod)) {
    co_return Looked::kDone;
  }
  const auto node = nodes_.Find("", pod->spec.node_name);
  const bool due = IsDueNow(name, *pod);
  if (node == nullptr ? due : MustGoNow(name, *pod, *node)) {
    co_return co_await Evict(name, *pod);
  }
  co_return Looked::kDone;
}

bool TaintEviction::IsDueNow(const std::string& name, const api::Pod& pod) {
  const auto plan = plans_.find(name);
  return plan != plans_.end() && plan->second.uid == pod.metadata.uid &&
         plan->second.due <= api_.loop().Now();
}

// Makes and cancels plans on the way.
bool TaintEviction::MustGoNow(const std::string& name, const api::Pod& pod, const api::Node& node) {
  const api::List<api::Taint> taints = NoExecuteTaints(node.spec.taints);
  if (taints.empty()) {
    Cancel(name);
    return false;
  }
  const std::optional<std::chrono::seconds> time =
      ToleratedFor(taints, pod.spec.tolerations, comparisons_);
  if (!time) {
    Cancel(name);
    return false;
  }
  if (time->count() > 0 && !IsDueNow(name, pod)) {
    MakePlan(name, pod, *time);
    return false;
  }
  return true;
}

// What is planned already stays as it is, whatever was added since.
void TaintEviction::MakePlan(const std::string& name, const api::Pod& pod,
                             std::chrono::seconds delay) {
  const Time now = api_.loop().Now();
  Plan& plan = plans_[name];
  if (plan.uid != pod.metadata.uid) {
    plan = {.uid = pod.metadata.uid, .due = now + delay};
  }
  queue_.AddAfter(plan.due - now, name);
}

void TaintEviction::Cancel(const std::string& name) {
  const auto pod = pods_.Find(name);
  if (plans_.erase(name) > 0 && pod != nullptr) {
    Tell(*pod, "Cancelling deletion of");
  }
}

loop::Task<Looked> TaintEviction::Evict(const std::string& name, const api::Pod& pod) {
  Time due = api_.loop().Now();
  if (const auto plan = plans_.find(name); plan != plans_.end()) {
    plan->second.going = true;
    due = std::min(due, plan->second.due);
  }
  Tell(pod, "Marking for deletion");
  std::optional<client::Change> marked = SetCondition(pod, kDisruptionTarget, api_.loop().Now());
  if (marked) {
    const Answer<std::string> patched =
        co_await api_.Patch(resource_, pod.metadata.ns, pod.metadata.name, *std::move(marked));
    if (!patched) {
      co_return SaysGone(patched.error()) ? Looked::kDone : Looked::kAgain;
    }
  }
  const client::Deletion deletion{.uid = pod.metadata.uid};
  const Answer<std::string> deleted =
      co_await api_.Delete(resource_, pod.metadata.ns, pod.metadata.name, deletion);
  if (!deleted && !SaysGone(deleted.error())) {
    co_return Looked::kAgain;
  }
  if (deleted) {
    CountDeletion(due);
  }
  plans_.erase(name);
  co_return Looked::kDone;
}

void TaintEviction::CountDeletion(Time due) {
  const std::chrono::duration<double> late = api_.loop().Now() - due;
  meters_.deletions.Add();
  meters_.seconds.Observe(late.count());
}

void TaintEviction::Tell(const api::Pod& pod, std::string_view what) {
  recorder_.Record(ReferenceTo(pod), client::EventType::kNormal, "TaintManagerEviction",
                   fmt::format("{} Pod {}", what, api::FullNameOf(pod)));
}

}  // namespace

std::unique_ptr<client::Controller> MakeTaintEviction(client::ControllerContext& context) {
  return std::make_unique<TaintEviction>(context);
}

}  // namespace quadra::lifecycle
