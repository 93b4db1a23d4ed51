// Pod garbage collection: deletes pods that nobody else would.
//
// Reading order: Run (when), Victims (which), Collect (how). A pod goes by force, since no kubelet
// is there to confirm it, and has failed before it goes unless it had finished: who counts on it
// learns so, and its claims are freed without their drivers being asked.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "json/writer.h"
#include "lifecycle/lifecycle.h"

namespace quadra::lifecycle {
namespace {

using client::Answer;
using loop::Task;
using PodPointer = client::Informer<api::Pod>::Pointer;

constexpr std::string_view kOutOfServiceTaint = "node.kubernetes.io/out-of-service";
constexpr std::size_t kAtOnce = 50;

// Why a pod goes, as the metrics say it.
enum class Why : std::uint8_t { kTerminated, kOutOfService, kOrphaned, kUnscheduled };

std::string_view ReasonName(Why why) {
  switch (why) {
    case Why::kTerminated:
      return "terminated";
    case Why::kOutOfService:
      return "out-of-service";
    case Why::kOrphaned:
      return "orphaned";
    case Why::kUnscheduled:
      return "unscheduled";
  }
  return "";
}

struct Victim {
  PodPointer pod;
  Why why = Why::kTerminated;
};

bool Finished(const api::Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
}

// Every phase but those of pods that may still do something.
bool Terminated(const api::Pod& pod) {
  const std::string& phase = pod.status.phase;
  return phase != "Pending" && phase != "Running" && phase != "Unknown";
}

bool Evicted(const api::Pod& pod) {
  return pod.status.phase == "Failed" && pod.status.reason == "Evicted";
}

bool IsNodeReady(const api::Node& node) {
  const auto& conditions = node.status.conditions;
  const auto ready = std::ranges::find(conditions, "Ready", &api::NodeCondition::type);
  return ready != conditions.end() && ready->status == "True";
}

bool IsOutOfService(const api::Node& node) {
  return !IsNodeReady(node) && std::ranges::find(node.spec.taints, kOutOfServiceTaint,
                                                 &api::Taint::key) != node.spec.taints.end();
}

// Evicted ones first, which nobody counts; then the oldest.
void SortForDeletion(std::vector<PodPointer>& pods) {
  std::ranges::sort(pods, {}, [](const PodPointer& pod) {
    return std::tuple(!Evicted(*pod), pod->metadata.creation_timestamp.value_or(Time()),
                      std::string_view(pod->metadata.name), std::string_view(pod->metadata.ns));
  });
}

void WriteDisruption(json::Writer& writer, const api::Pod& pod, Time now) {
  const auto& conditions = pod.status.conditions;
  const auto had = std::ranges::find(conditions, "DisruptionTarget", &api::PodCondition::type);
  const bool held = had != conditions.end() && had->status == "True";
  writer.BeginObject();
  writer.Member("type", "DisruptionTarget");
  writer.Key("observedGeneration");
  writer.Int(pod.metadata.generation);
  writer.Member("status", "True");
  writer.Member("lastTransitionTime",
                FormatSeconds(held ? had->last_transition_time.value_or(now) : now));
  writer.Member("reason", "DeletionByPodGC");
  writer.Member("message", "PodGC: node no longer exists");
  writer.EndObject();
}

std::string FailedPatch(const Victim& victim, Time now) {
  const api::Pod& pod = *victim.pod;
  std::string body;
  json::Writer writer(body);
  writer.BeginObject();
  writer.Key("metadata");
  writer.BeginObject();
  writer.Member("uid", pod.metadata.uid);
  writer.EndObject();
  writer.Key("status");
  writer.BeginObject();
  writer.Member("phase", "Failed");
  writer.Key("observedGeneration");
  writer.Int(pod.metadata.generation);
  if (victim.why == Why::kOrphaned) {
    writer.Key("conditions");
    writer.BeginArray();
    WriteDisruption(writer, pod, now);
    writer.EndArray();
  }
  writer.EndObject();
  writer.EndObject();
  return body;
}

class PodCollection final : public client::Controller {
 public:
  PodCollection(client::ControllerContext& context, PodCollectionOptions options)
      : context_(context),
        options_(options),
        pods_(context.informers.Of<api::Pod>()),
        nodes_(context.informers.Of<api::Node>()),
        deleted_(context.metrics.Counters(
            {.name = "pod_gc_collector_force_delete_pods_total",
             .help = "Number of pods that are being forcefully deleted since the Pod GC Controller "
                     "started.",
             .labels = {"namespace", "reason"}})),
        failed_(context.metrics.Counters(
            {.name = "pod_gc_collector_force_delete_pod_errors_total",
             .help = "Number of errors encountered when forcefully deleting the pods since the Pod "
                     "GC Controller started.",
             .labels = {"namespace", "reason"}})) {}

  void Start() override { tasks_.Start(Run()); }
  bool idle() const override { return idle_; }

 private:
  // In the order in which they are found; none twice.
  class Victims {
   public:
    void Add(const PodPointer& pod, Why why) {
      if (seen_.insert(pod->metadata.uid).second) {
        all_.push_back({.pod = pod, .why = why});
      }
    }
    const std::vector<Victim>& all() const { return all_; }

   private:
    std::set<std::string> seen_;
    std::vector<Victim> all_;
  };

  Task<void> Run();
  Task<void> Pass();
  void FindTerminated(const std::vector<PodPointer>& pods, Victims& victims) const;
  void FindOutOfService(const std::vector<PodPointer>& pods, Victims& victims) const;
  void Quarantine(const std::vector<PodPointer>& pods);
  Task<std::set<std::string>> GoneNodes();
  Task<void> Collect(std::vector<Victim> victims);
  Task<std::vector<Victim>> MarkFailed(std::vector<Victim> victims);
  Task<void> Delete(std::vector<Victim> victims);
  // Whether it worked, or there is nothing left to do.
  bool Took(const Victim& victim, const Answer<std::string>& answer);

  client::ControllerContext& context_;
  const PodCollectionOptions options_;
  const client::Resource resource_ = client::ResourceOf<api::Pod>();
  client::Informer<api::Pod>& pods_;
  client::Informer<api::Node>& nodes_;
  metrics::Family<metrics::Counter>& deleted_;
  metrics::Family<metrics::Counter>& failed_;
  // Nodes that pods name and nobody has, and when they are believed to have gone.
  std::map<std::string, Time> quarantine_;
  bool idle_ = false;
  loop::TaskGroup tasks_;  // last: it uses all of the above
};

Task<void> PodCollection::Run() {
  for (;;) {
    idle_ = false;
    co_await Pass();
    idle_ = true;
    co_await loop::Pause(context_.api.loop(), options_.period);
  }
}

Task<void> PodCollection::Pass() {
  const std::vector<PodPointer> pods = pods_.All();
  Victims victims;
  FindTerminated(pods, victims);
  FindOutOfService(pods, victims);
  Quarantine(pods);
  const std::set<std::string> gone = co_await GoneNodes();
  for (const PodPointer& pod : pods) {
    if (gone.contains(pod->spec.node_name)) {
      victims.Add(pod, Why::kOrphaned);
    } else if (pod->metadata.deletion_timestamp && pod->spec.node_name.empty()) {
      victims.Add(pod, Why::kUnscheduled);
    }
  }
  co_await Collect(victims.all());
}

void PodCollection::FindTerminated(const std::vector<PodPointer>& pods, Victims& victims) const {
  if (options_.terminated_threshold <= 0) {
    return;
  }
  std::vector<PodPointer> terminated;
  std::ranges::copy_if(pods, std::back_inserter(terminated),
                       [](const PodPointer& pod) { return Terminated(*pod); });
  const auto may_stay = static_cast<std::size_t>(options_.terminated_threshold);
  if (terminated.size() <= may_stay) {
    return;
  }
  SortForDeletion(terminated);
  terminated.resize(terminated.size() - may_stay);
  for (const PodPointer& pod : terminated) {
    victims.Add(pod, Why::kTerminated);
  }
}

void PodCollection::FindOutOfService(const std::vector<PodPointer>& pods, Victims& victims) const {
  for (const PodPointer& pod : pods) {
    if (!pod->metadata.deletion_timestamp) {
      continue;
    }
    const auto node = nodes_.Find("", pod->spec.node_name);
    if (node != nullptr && IsOutOfService(*node)) {
      victims.Add(pod, Why::kOutOfService);
    }
  }
}

void PodCollection::Quarantine(const std::vector<PodPointer>& pods) {
  const Time due = context_.api.loop().Now() + options_.quarantine;
  for (const PodPointer& pod : pods) {
    const std::string& node = pod->spec.node_name;
    if (!node.empty() && nodes_.Find("", node) == nullptr) {
      quarantine_.try_emplace(node, due);
    }
  }
}

// Those whose time is over and that a live read does not find.
Task<std::set<std::string>> PodCollection::GoneNodes() {
  const Time now = context_.api.loop().Now();
  std::vector<std::string> due;
  std::erase_if(quarantine_, [&](const auto& entry) {
    if (entry.second <= now && nodes_.Find("", entry.first) == nullptr) {
      due.push_back(entry.first);
    }
    return entry.second <= now;
  });
  std::set<std::string> gone;
  const client::Resource nodes = client::ResourceOf<api::Node>();
  for (const std::string& node : due) {
    const Answer<client::Metadata> found = co_await context_.api.GetMetadata(nodes, "", node);
    if (!found && found.error().Is(client::refused::kNotFound)) {
      gone.insert(node);
    } else if (!found) {
      context_.log(
          fmt::format("pod garbage collector: reading node {}: {}", node, found.error().message));
    }
  }
  co_return gone;
}

Task<void> PodCollection::Collect(std::vector<Victim> victims) {
  for (std::size_t begin = 0; begin < victims.size(); begin += kAtOnce) {
    const auto from = victims.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto to = from + static_cast<std::ptrdiff_t>(std::min(kAtOnce, victims.size() - begin));
    std::vector<Victim> some(from, to);
    some = co_await MarkFailed(std::move(some));
    co_await Delete(std::move(some));
  }
}

// Those that may be deleted now.
Task<std::vector<Victim>> PodCollection::MarkFailed(std::vector<Victim> victims) {
  std::vector<loop::Later<Answer<std::string>>> sent;
  for (const Victim& victim : victims) {
    const api::ObjectMeta& meta = victim.pod->metadata;
    deleted_.With({meta.ns, ReasonName(victim.why)}).Add();
    if (!Finished(*victim.pod)) {
      client::Change change{.type = client::PatchType::kStrategicMerge,
                            .body = FailedPatch(victim, context_.api.loop().Now()),
                            .subresource = "status"};
      sent.push_back(context_.api.Patch(resource_, meta.ns, meta.name, std::move(change)));
    }
  }
  std::vector<Victim> marked;
  std::size_t next = 0;
  for (Victim& victim : victims) {
    if (!Finished(*victim.pod)) {
      loop::Later<Answer<std::string>> mine = std::move(sent[next++]);
      const Answer<std::string> answer = co_await std::move(mine);
      if (!Took(victim, answer) || !answer) {
        continue;
      }
    }
    marked.push_back(std::move(victim));
  }
  co_return marked;
}

Task<void> PodCollection::Delete(std::vector<Victim> victims) {
  std::vector<loop::Later<Answer<std::string>>> sent;
  for (const Victim& victim : victims) {
    const api::ObjectMeta& meta = victim.pod->metadata;
    const client::Deletion deletion{.uid = meta.uid,
                                    .resource_version = {},
                                    .propagation = client::Propagation::kDefault,
                                    .grace_seconds = 0};
    sent.push_back(context_.api.Delete(resource_, meta.ns, meta.name, deletion));
  }
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const Answer<std::string> answer = co_await std::move(sent[i]);
    Took(victims[i], answer);
  }
}

bool PodCollection::Took(const Victim& victim, const Answer<std::string>& answer) {
  if (answer || answer.error().Is(client::refused::kNotFound)) {
    return true;
  }
  const api::ObjectMeta& meta = victim.pod->metadata;
  failed_.With({meta.ns, ReasonName(victim.why)}).Add();
  context_.log(fmt::format("pod garbage collector: deleting pod {} ({}): {}",
                           api::FullName(meta.ns, meta.name), ReasonName(victim.why),
                           answer.error().message));
  return false;
}

}  // namespace

std::unique_ptr<client::Controller> MakePodCollection(client::ControllerContext& context,
                                                      PodCollectionOptions options) {
  return std::make_unique<PodCollection>(context, options);
}

}  // namespace quadra::lifecycle
