#include "hollow/node_duty.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/vocabulary.h"
#include "hollow/json_text.h"

namespace quadra::hollow {
namespace {

using client::Answer;
using client::Looked;
using loop::Task;

constexpr std::string_view kLeaseNamespace = "kube-node-lease";
constexpr std::int64_t kLeaseSeconds = 40;  // as kubelets
constexpr std::size_t kWorkers = 20;
constexpr std::chrono::seconds kBeat(10);
// More than so many beats a second are not worth it: they come less often then.
constexpr std::size_t kMostBeatsPerSecond = 500;
constexpr std::chrono::seconds kLongestBeat(35);

std::string NodeText(const HollowNode& node) {
  return ObjectText([&](json::Writer& writer) {
    writer.Key("metadata");
    writer.BeginObject();
    writer.Member("name", node.name);
    WriteTexts(writer, "labels", node.labels);
    writer.EndObject();
  });
}

void WriteCondition(json::Writer& writer, std::string_view type, std::string_view status,
                    std::string_view reason, std::string_view message, Time now) {
  writer.BeginObject();
  writer.Member("type", type);
  writer.Member("status", status);
  writer.Member("reason", reason);
  writer.Member("message", message);
  writer.Member("lastHeartbeatTime", FormatSeconds(now));
  writer.Member("lastTransitionTime", FormatSeconds(now));
  writer.EndObject();
}

std::string StatusText(const HollowNode& node, Time now) {
  return ObjectText([&](json::Writer& writer) {
    writer.Key("status");
    writer.BeginObject();
    WriteTexts(writer, "capacity", node.capacity);
    WriteTexts(writer, "allocatable", node.capacity);
    writer.Key("conditions");
    writer.BeginArray();
    WriteCondition(writer, "MemoryPressure", "False", "KubeletHasSufficientMemory",
                   "a hollow node uses none", now);
    WriteCondition(writer, "DiskPressure", "False", "KubeletHasNoDiskPressure",
                   "a hollow node uses none", now);
    WriteCondition(writer, "PIDPressure", "False", "KubeletHasSufficientPID",
                   "a hollow node uses none", now);
    WriteCondition(writer, "Ready", "True", "KubeletReady", "hollow: pods are only said to run",
                   now);
    writer.EndArray();
    writer.Key("nodeInfo");
    writer.BeginObject();
    WriteTexts(writer, {{"kubeletVersion", "v1.37.1-hollow"},
                        {"containerRuntimeVersion", "hollow://1"},
                        {"operatingSystem", "linux"},
                        {"architecture", "amd64"},
                        {"osImage", "hollow"}});
    writer.EndObject();
    writer.EndObject();
  });
}

std::string LeaseText(const std::string& node, Time now) {
  return ObjectText([&](json::Writer& writer) {
    writer.Key("metadata");
    writer.BeginObject();
    writer.Member("name", node);
    writer.EndObject();
    writer.Key("spec");
    writer.BeginObject();
    writer.Member("holderIdentity", node);
    writer.Key("leaseDurationSeconds");
    writer.Int(kLeaseSeconds);
    std::string renewed;
    api::AppendMicroTime(renewed, now);
    writer.Member("renewTime", renewed);
    writer.EndObject();
  });
}

}  // namespace

NodeDuty::NodeDuty(client::ControllerContext& context, const std::vector<HollowNode>& nodes)
    : context_(context),
      registered_(context.informers.Of<api::Node>()),
      publisher_(context),
      queue_(context.api.loop(), {.meter = context.work.For("hollow_nodes"), .workers = kWorkers},
             [this](const std::string& name) { return Sync(name); }),
      beats_(context.api.loop(), {.workers = kWorkers},
             [this](std::string name) { return Renew(std::move(name)); }) {
  for (const HollowNode& each : nodes) {
    nodes_.emplace(each.name, &each);
  }
  const auto look = [this](const api::Node& node) {
    if (nodes_.contains(node.metadata.name)) {
      queue_.Add(node.metadata.name);
    }
  };
  registered_.OnChange({.added = look, .deleted = look});
}

// Beats of many nodes are spread over their period.
void NodeDuty::Start() {
  queue_.Start();
  beats_.Start();
  publisher_.Start();
  std::size_t number = 0;
  for (const auto& [name, node] : nodes_) {
    queue_.Add(name);
    beats_.AddAfter(BeatPeriod() * number++ / nodes_.size(), name);
  }
}

std::chrono::microseconds NodeDuty::BeatPeriod() const {
  const std::chrono::seconds needed(nodes_.size() / kMostBeatsPerSecond);
  return std::min<std::chrono::microseconds>(std::max(kBeat, needed), kLongestBeat);
}

Task<Looked> NodeDuty::Sync(const std::string& name) {
  const HollowNode& node = *nodes_.find(name)->second;
  const auto registered = registered_.Find(std::string_view(), name);
  if (registered == nullptr) {
    reported_.erase(name);
    return Register(node);
  }
  Publish(node, *registered);
  return Report(node);
}

Task<Looked> NodeDuty::Register(const HollowNode& node) {
  loop::Later<Answer<std::string>> creating =
      context_.api.Create(client::ResourceOf<api::Node>(), {}, NodeText(node));
  const Answer<std::string> created = co_await creating;
  const bool is_there = created || created.error().Is(client::refused::kAlreadyExists);
  co_return is_there ? Looked::kDone : Ended("register", node.name, created);
}

// Once for each Node object.
Task<Looked> NodeDuty::Report(const HollowNode& node) {
  const auto registered = registered_.Find(std::string_view(), node.name);
  std::string& reported = reported_[node.name];
  if (registered == nullptr || reported == registered->metadata.uid) {
    co_return Looked::kDone;
  }
  client::Change change{.type = client::PatchType::kStrategicMerge,
                        .body = StatusText(node, context_.api.loop().Now()),
                        .subresource = "status"};
  loop::Later<Answer<std::string>> patching =
      context_.api.Patch(client::ResourceOf<api::Node>(), {}, node.name, std::move(change));
  const Answer<std::string> patched = co_await patching;
  if (patched) {
    reported_[node.name] = registered->metadata.uid;
  }
  co_return Ended("report", node.name, patched);
}

void NodeDuty::Publish(const HollowNode& node, const api::Node& registered) {
  if (reported_[node.name] == registered.metadata.uid) {
    return;
  }
  for (publisher::Pool pool : node.pools) {
    api::OwnerReference& owner = pool.owner.emplace();
    owner.api_version = "v1";
    owner.kind = "Node";
    owner.name = registered.metadata.name;
    owner.uid = registered.metadata.uid;
    owner.controller = true;
    publisher_.Put(std::move(pool));
  }
}

Task<Looked> NodeDuty::Renew(std::string name) {
  const client::Resource leases = client::ResourceFor("coordination.k8s.io/v1", "Lease");
  const std::string text = LeaseText(name, context_.api.loop().Now());
  beats_.AddAfter(BeatPeriod(), name);
  loop::Later<Answer<std::string>> renewing =
      context_.api.Patch(leases, kLeaseNamespace, name, {.body = text});
  const Answer<std::string> renewed = co_await renewing;
  if (renewed || !renewed.error().Is(client::refused::kNotFound)) {
    Ended("renew the lease of", name, renewed);
    co_return Looked::kDone;  // the next beat comes anyway
  }
  loop::Later<Answer<std::string>> creating = context_.api.Create(leases, kLeaseNamespace, text);
  const Answer<std::string> created = co_await creating;
  Ended("make the lease of", name, created);
  co_return Looked::kDone;
}

Looked NodeDuty::Ended(std::string_view what, const std::string& name,
                       const Answer<std::string>& answer) {
  if (!answer) {
    context_.log(fmt::format("hollow nodes: cannot {} {}: {}", what, name, answer.error().message));
  }
  return answer ? Looked::kDone : Looked::kAgain;
}

}  // namespace quadra::hollow
