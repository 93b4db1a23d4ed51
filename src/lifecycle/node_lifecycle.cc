// The node lifecycle controller. Every few seconds it looks when each node was last heard of: the
// conditions of those that are silent become Unknown, their pods unready, and they get the NoExecute
// taint by which taint eviction takes their pods away, as fast as the state of their zone allows.
// What conditions say besides becomes NoSchedule taints at once.
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lifecycle/in_parallel.h"
#include "lifecycle/lifecycle.h"
#include "lifecycle/node_health.h"
#include "lifecycle/node_meters.h"
#include "lifecycle/node_taints.h"
#include "lifecycle/own_writes.h"
#include "lifecycle/pod_patches.h"
#include "lifecycle/tree.h"
#include "lifecycle/zones.h"

namespace quadra::lifecycle {

namespace {

using client::Answer;
using client::EventType;
using client::Failure;
using client::Looked;
using NodePointer = std::shared_ptr<const api::Node>;

constexpr std::size_t kNodesAtOnce = 8;
constexpr std::size_t kPodsAtOnce = 4;
constexpr int kEditAttempts = 5;
constexpr std::string_view kLeaseNamespace = "kube-node-lease";
constexpr std::string_view kExcluded = "node.kubernetes.io/exclude-disruption";
constexpr std::string_view kLifecycleByNode = "node-lifecycle-controller: node";

// What a node is to become, by what it is now.
using Editor = std::function<NodeEdit(const api::Node&)>;

std::string ReadyOf(const api::Node& node) {
  const api::NodeCondition* const ready = FindCondition(node, "Ready");
  return ready == nullptr ? "" : ready->status;
}

class NodeLifecycle final : public client::Controller {
 public:
  NodeLifecycle(client::ControllerContext& context, const NodeLifecycleOptions& options)
      : context_(context),
        api_(context.api),
        nodes_(context.informers.Of<api::Node>()),
        pods_(context.informers.Of<api::Pod>()),
        leases_(context.informers.Objects(client::ResourceFor("coordination.k8s.io/v1", "Lease"))),
        options_(options),
        check_live_leases_(context.gates.Enabled(api::Gate::kNodeControllerLeaseCircuitBreaker)),
        recorder_(api_, "node-controller"),
        meters_(context.metrics),
        zones_(options),
        node_queue_(
            api_.loop(),
            {.meter = context.work.For("node_lifecycle_controller"), .workers = kNodesAtOnce},
            [this](std::string node) { return EditNode(std::move(node)); }),
        pod_queue_(
            api_.loop(),
            {.meter = context.work.For("node_lifecycle_controller_pods"), .workers = kPodsAtOnce},
            [this](std::string pod) { return LookAtPod(std::move(pod)); }) {
    WatchNodes();
    WatchPods();
  }

  void Start() override {
    node_queue_.Start();
    pod_queue_.Start();
    running_.Start(Monitor());
  }
  bool idle() const override {
    return node_queue_.idle() && pod_queue_.idle() && !passing_ && !tainting_;
  }

 private:
  // A node as a pass leaves it.
  struct Attended {
    api::Node node;
    std::string was;  // the Ready condition before; "Unknown" where there was none
  };

  Time Now() const { return api_.loop().Now(); }
  double SecondsSince(Time begin) const {
    return std::chrono::duration<double>(Now() - begin).count();
  }

  void WatchNodes();
  void WatchPods();
  loop::Task<Looked> EditNode(std::string name);
  loop::Task<Looked> LookAtPod(std::string name);

  loop::Task<void> Monitor();
  loop::Task<void> Pass();
  void Meet(const std::vector<NodePointer>& nodes);
  loop::Task<void> AttendTimed(NodePointer node, std::map<std::string, ZoneCount>& counts);
  loop::Task<void> Attend(NodePointer node, std::map<std::string, ZoneCount>& counts);
  loop::Task<Answer<Attended>> UpdateHealth(const api::Node& node);
  loop::Task<Answer<api::Node>> MarkUnknown(const api::Node& node,
                                            std::vector<api::NodeCondition> conditions);
  loop::Task<Answer<void>> CheckLease(const std::string& node);
  std::shared_ptr<const api::Object> LeaseOf(const std::string& node) const;
  loop::Task<void> SettleTaints(const api::Node& node);
  loop::Task<void> SettlePods(const Attended& attended);
  loop::Task<bool> MarkPodsUnready(std::string node);
  loop::Task<Looked> MarkUnready(std::shared_ptr<const api::Pod> pod);
  loop::Task<void> JudgeZones(const std::vector<NodePointer>& nodes,
                              const std::map<std::string, ZoneCount>& counts);

  void ArmTainting();
  loop::Task<void> TaintNodesAt(Time due);
  loop::Task<void> TaintNode(std::string zone, std::string name);
  loop::Task<bool> Edit(api::Node node, Editor editor);
  loop::Task<Answer<api::Node>> PatchNode(const api::Node& node, client::Change change);

  void TellOfNode(const api::ObjectMeta& node, std::string_view reason, const std::string& message);

  client::ControllerContext& context_;
  client::Api& api_;
  client::Informer<api::Node>& nodes_;
  client::Informer<api::Pod>& pods_;
  client::Informer<api::Object>& leases_;
  const NodeLifecycleOptions options_;
  const bool check_live_leases_;
  const client::Resource node_resource_ = client::ResourceOf<api::Node>();
  const client::Resource pod_resource_ = client::ResourceOf<api::Pod>();
  const client::Resource lease_resource_ = client::ResourceFor("coordination.k8s.io/v1", "Lease");
  client::EventRecorder recorder_;
  std::map<std::string, NodePointer> known_;   // by name
  std::map<std::string, NodeHealth> healths_;  // of those known
  std::set<std::string> with_pods_to_mark_;    // that could not be marked unready
  std::string needed_lease_revision_;          // before which leases cannot be believed
  NodeMeters meters_;
  Zones zones_;
  bool passing_ = false;
  bool tainting_ = false;
  std::optional<Time> armed_;  // when nodes are tainted next
  client::WorkQueue node_queue_;
  client::WorkQueue pod_queue_;
  loop::TaskGroup running_;  // last: it uses all of the above
};

void NodeLifecycle::WatchNodes() {
  const auto wake = [this](const api::Node& node) { node_queue_.Add(node.metadata.name); };
  nodes_.OnChange(
      {.added = wake,
       .updated = [wake](const api::Node&, const api::Node& now) { wake(now); },
       .deleted = [this](const api::Node& node) { with_pods_to_mark_.erase(node.metadata.name); }});
}

void NodeLifecycle::WatchPods() {
  pods_.AddIndex(std::string(kLifecycleByNode),
                 [](const api::Pod& pod) { return std::vector<std::string>{pod.spec.node_name}; });
  const auto placed = [this](const api::Pod& pod) {
    if (!pod.spec.node_name.empty()) {
      pod_queue_.Add(api::FullNameOf(pod));
    }
  };
  pods_.OnChange(
      {.added = placed, .updated = [placed](const api::Pod& before, const api::Pod& now) {
         if (before.spec.node_name != now.spec.node_name) {
           placed(now);
         }
       }});
}

// --- Whenever a node changes: NoSchedule taints and labels.

loop::Task<Looked> NodeLifecycle::EditNode(std::string name) {
  const NodePointer node = nodes_.Find("", name);
  if (node == nullptr) {
    co_return Looked::kDone;
  }
  Editor editor = [this](const api::Node& now) { return EditByConditions(now, Now()); };
  const bool edited = co_await Edit(*node, std::move(editor));
  co_return edited ? Looked::kDone : Looked::kAgain;
}

// Until what the editor asks for is there. False: it could not be; a node that is gone needs nothing.
loop::Task<bool> NodeLifecycle::Edit(api::Node node, Editor editor) {
  for (int attempt = 0; attempt < kEditAttempts; ++attempt) {
    const NodeEdit edit = editor(node);
    if (edit.empty()) {
      co_return true;
    }
    client::Change change{.type = client::PatchType::kMerge, .body = edit.PatchText(node)};
    const Answer<api::Node> patched = co_await PatchNode(node, std::move(change));
    if (patched || patched.error().Is(client::refused::kNotFound)) {
      co_return true;
    }
    if (!patched.error().Is(client::refused::kConflict)) {
      co_return false;
    }
    Answer<api::Node> fresh = co_await api_.Get<api::Node>("", node.metadata.name);
    if (!fresh || fresh->metadata.uid != node.metadata.uid) {
      co_return fresh || fresh.error().Is(client::refused::kNotFound);
    }
    node = *std::move(fresh);
  }
  co_return false;
}

loop::Task<Answer<api::Node>> NodeLifecycle::PatchNode(const api::Node& node,
                                                       client::Change change) {
  const Answer<std::string> patched =
      co_await api_.Patch(node_resource_, "", node.metadata.name, std::move(change));
  if (!patched) {
    co_return tl::unexpected(patched.error());
  }
  Result<api::Node> read = client::Kind<api::Node>::Decode(*patched);
  if (!read) {
    co_return tl::unexpected(Failure{.message = read.error().ToString()});
  }
  co_return *std::move(read);
}

// --- Every few seconds: who was heard of.

loop::Task<void> NodeLifecycle::Monitor() {
  for (;;) {
    passing_ = true;
    co_await Pass();
    passing_ = false;
    co_await loop::Pause(api_.loop(), options_.monitor_period);
  }
}

loop::Task<void> NodeLifecycle::Pass() {
  const Time begin = Now();
  const std::vector<NodePointer> nodes = nodes_.All();
  Meet(nodes);
  std::map<std::string, ZoneCount> counts;
  std::function<loop::Task<void>(std::size_t)> attend = [&](std::size_t n) {
    return AttendTimed(nodes[n], counts);
  };
  co_await InParallel(api_.loop(), nodes.size(), kNodesAtOnce, std::move(attend));
  co_await JudgeZones(nodes, counts);
  ArmTainting();
  meters_.ObserveAll(SecondsSince(begin));
}

void NodeLifecycle::Meet(const std::vector<NodePointer>& nodes) {
  std::map<std::string, NodePointer> gone = std::exchange(known_, {});
  for (const NodePointer& node : nodes) {
    const std::string& name = node->metadata.name;
    known_.emplace(name, node);
    const auto before = gone.find(name);
    if (before != gone.end() && before->second->metadata.uid == node->metadata.uid) {
      gone.erase(before);
    } else {
      healths_.erase(name);
      TellOfNode(node->metadata, "RegisteredNode",
                 fmt::format("Node {0} event: Registered Node {0} in Controller", name));
    }
  }
  for (const auto& [name, node] : gone) {
    TellOfNode(node->metadata, "RemovingNode",
               fmt::format("Node {0} event: Removing Node {0} from Controller", name));
    if (!known_.contains(name)) {
      healths_.erase(name);
    }
  }
}

loop::Task<void> NodeLifecycle::AttendTimed(NodePointer node,
                                            std::map<std::string, ZoneCount>& counts) {
  const Time begin = Now();
  meters_.MeetZone(ZoneOf(*node));
  co_await Attend(std::move(node), counts);
  meters_.ObserveNode(SecondsSince(begin));
}

loop::Task<void> NodeLifecycle::Attend(NodePointer node, std::map<std::string, ZoneCount>& counts) {
  const Answer<Attended> attended = co_await UpdateHealth(*node);
  if (!attended) {
    context_.log(fmt::format("node {} is not judged this time: {}", node->metadata.name,
                             attended.error().message));
    co_return;
  }
  const std::string ready = ReadyOf(attended->node);
  if (!attended->node.metadata.labels.contains(kExcluded)) {
    ZoneCount& count = counts[ZoneOf(*node)];
    (ready == "True" ? count.ready : count.unready) += 1;
  }
  if (!ready.empty()) {
    co_await SettleTaints(attended->node);
    co_await SettlePods(*attended);
  }
}

// A failure: it cannot be said how the node is, and nothing follows from that until the next time.
loop::Task<Answer<NodeLifecycle::Attended>> NodeLifecycle::UpdateHealth(const api::Node& node) {
  if (IsBefore(leases_.resource_version(), needed_lease_revision_)) {
    co_return tl::unexpected(Failure{.message = "leases are not up to date"});
  }
  NodeHealth& health = healths_[node.metadata.name];
  const auto lease = LeaseOf(node.metadata.name);
  health.Observe(node, lease == nullptr ? std::nullopt : TimeAt(lease->root, {"spec", "renewTime"}),
                 Now());
  const std::string ready = ReadyOf(node);
  Attended attended{.node = node, .was = ready.empty() ? "Unknown" : ready};
  const SilenceAllowed allowed{.running = options_.monitor_grace_period,
                               .startup = options_.startup_grace_period};
  if (!health.IsSilent(node, allowed, Now())) {
    co_return std::move(attended);
  }
  std::vector<api::NodeCondition> conditions = UnknownConditions(node, Now());
  if (!conditions.empty()) {
    Answer<api::Node> marked = co_await MarkUnknown(node, std::move(conditions));
    if (!marked) {
      co_return tl::unexpected(marked.error());
    }
    attended.node = *std::move(marked);
    health.SetReady("Unknown");
  }
  co_return std::move(attended);
}

std::shared_ptr<const api::Object> NodeLifecycle::LeaseOf(const std::string& node) const {
  return leases_.Find(kLeaseNamespace, node);
}

loop::Task<Answer<api::Node>> NodeLifecycle::MarkUnknown(
    const api::Node& node, std::vector<api::NodeCondition> conditions) {
  if (check_live_leases_) {
    const Answer<void> checked = co_await CheckLease(node.metadata.name);
    if (!checked) {
      co_return tl::unexpected(checked.error());
    }
  }
  client::Change change{.type = client::PatchType::kStrategicMerge,
                        .body = ConditionsPatch(node, conditions),
                        .subresource = "status"};
  co_return co_await PatchNode(node, std::move(change));
}

// That the lease which we know is the one that the server has: it may be our copy that is silent.
loop::Task<Answer<void>> NodeLifecycle::CheckLease(const std::string& node) {
  const Answer<client::Metadata> live =
      co_await api_.GetMetadata(lease_resource_, kLeaseNamespace, node);
  if (!live) {
    co_return live.error().Is(client::refused::kNotFound) ? Answer<void>()
                                                          : tl::unexpected(live.error());
  }
  const auto kept = LeaseOf(node);
  const std::string_view revision = kept == nullptr ? "" : client::MarksOf(*kept).resource_version;
  if (live->metadata.resource_version == revision) {
    co_return Answer<void>();
  }
  needed_lease_revision_ = live->metadata.resource_version;
  co_return tl::unexpected(Failure{.message = "leases are not up to date"});
}

// --- Taints by which pods are taken away.

// A taint that is the wrong one is exchanged at once; a new one waits for its turn.
loop::Task<void> NodeLifecycle::SettleTaints(const api::Node& node) {
  TaintQueue& queue = zones_.QueueOf(ZoneOf(node), Now());
  const bool tainted =
      HasTaint(node, kNotReadyTaint, "NoExecute") || HasTaint(node, kUnreachableTaint, "NoExecute");
  const bool ready = ReadyOf(node) == "True";
  if (ready) {
    queue.Remove(node.metadata.name);
  }
  if (tainted) {
    Editor editor = [this](const api::Node& now) { return EditByReadiness(now, Now()); };
    co_await Edit(node, std::move(editor));
  } else if (!ready) {
    queue.Add(node.metadata.name);
  }
}

loop::Task<void> NodeLifecycle::SettlePods(const Attended& attended) {
  const std::string& name = attended.node.metadata.name;
  const bool ready = ReadyOf(attended.node) == "True";
  const bool turned = !ready && attended.was == "True";
  if (turned) {
    TellOfNode(attended.node.metadata, "NodeNotReady",
               fmt::format("Node {} status is now: NodeNotReady", name));
  }
  if (turned || (with_pods_to_mark_.contains(name) && attended.was != "True")) {
    const bool marked = co_await MarkPodsUnready(name);
    if (!marked) {
      with_pods_to_mark_.insert(name);
      co_return;
    }
  }
  with_pods_to_mark_.erase(name);
}

loop::Task<bool> NodeLifecycle::MarkPodsUnready(std::string node) {
  bool all = true;
  for (const auto& pod : pods_.With(kLifecycleByNode, node)) {
    const Looked marked = co_await MarkUnready(pod);
    all = all && marked == Looked::kDone;
  }
  co_return all;
}

loop::Task<Looked> NodeLifecycle::MarkUnready(std::shared_ptr<const api::Pod> pod) {
  std::optional<client::Change> change = SetUnready(*pod, Now());
  if (!change) {
    co_return Looked::kDone;
  }
  const Answer<std::string> patched =
      co_await api_.Patch(pod_resource_, pod->metadata.ns, pod->metadata.name, *std::move(change));
  if (patched) {
    recorder_.Record(ReferenceTo(*pod), EventType::kWarning, "NodeNotReady", "Node is not ready");
  }
  const bool gone = !patched && (patched.error().Is(client::refused::kNotFound) ||
                                 patched.error().Is(client::refused::kConflict));
  co_return patched || gone ? Looked::kDone : Looked::kAgain;
}

// A pod that was placed on a node that is not ready is not ready either.
loop::Task<Looked> NodeLifecycle::LookAtPod(std::string name) {
  const auto pod = pods_.Find(name);
  const auto health = pod == nullptr ? healths_.end() : healths_.find(pod->spec.node_name);
  if (health == healths_.end() || health->second.ready().empty() ||
      health->second.ready() == "True") {
    co_return Looked::kDone;
  }
  co_return co_await MarkUnready(pod);
}

loop::Task<void> NodeLifecycle::JudgeZones(const std::vector<NodePointer>& nodes,
                                           const std::map<std::string, ZoneCount>& counts) {
  meters_.SetZones(counts);
  switch (zones_.Judge(counts, Now())) {
    case Zones::Turn::kNone:
      break;
    case Zones::Turn::kSomeBack:
      for (auto& [name, health] : healths_) {
        health.Forgive(Now());
      }
      break;
    case Zones::Turn::kAllLost:
      for (const NodePointer& node : nodes) {
        Editor editor = LiftedTaints;
        co_await Edit(*node, std::move(editor));
      }
      break;
  }
}

// --- One node after the other, as the rates of zones allow.

void NodeLifecycle::ArmTainting() {
  std::optional<Time> next;
  const Time now = Now();
  for (const std::string& zone : zones_.Names()) {
    const std::optional<Time> in_zone = zones_.QueueOf(zone, now).Next(now);
    next = in_zone && (!next || *in_zone < *next) ? in_zone : next;
  }
  if (!next || tainting_ || (armed_ && *armed_ <= *next)) {
    return;
  }
  armed_ = next;
  running_.Start(TaintNodesAt(*next));
}

loop::Task<void> NodeLifecycle::TaintNodesAt(Time due) {
  co_await loop::Pause(api_.loop(), std::max(due - Now(), std::chrono::microseconds(0)));
  if (armed_ != due) {
    co_return;
  }
  armed_.reset();
  tainting_ = true;
  for (const std::string& zone : zones_.Names()) {
    while (std::optional<std::string> node = zones_.QueueOf(zone, Now()).Take(Now())) {
      co_await TaintNode(zone, *std::move(node));
    }
  }
  tainting_ = false;
  ArmTainting();
}

loop::Task<void> NodeLifecycle::TaintNode(std::string zone, std::string name) {
  const NodePointer node = nodes_.Find("", name);
  const std::string ready = node == nullptr ? "" : ReadyOf(*node);
  if (ready != "False" && ready != "Unknown") {
    co_return;
  }
  Editor editor = [this](const api::Node& now) { return EditByReadiness(now, Now()); };
  const bool edited = co_await Edit(*node, std::move(editor));
  if (!edited) {
    zones_.QueueOf(zone, Now()).Add(name);
    co_return;
  }
  meters_.CountEviction(ZoneOf(*node));
}

void NodeLifecycle::TellOfNode(const api::ObjectMeta& node, std::string_view reason,
                               const std::string& message) {
  recorder_.Record({.api_version = "v1", .kind = "Node", .name = node.name, .uid = node.uid},
                   EventType::kNormal, reason, message);
}

}  // namespace

std::unique_ptr<client::Controller> MakeNodeLifecycle(client::ControllerContext& context,
                                                      NodeLifecycleOptions options) {
  return std::make_unique<NodeLifecycle>(context, options);
}

}  // namespace quadra::lifecycle
