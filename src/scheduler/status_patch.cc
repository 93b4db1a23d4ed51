#include "scheduler/status_patch.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "api/vocabulary.h"
#include "json/writer.h"

namespace quadra::scheduler {
namespace {

using Condition = StatusWanted::Condition;

const api::PodCondition* FindIn(const api::Pod& pod, std::string_view type) {
  const auto* const found =
      std::ranges::find(pod.status.conditions, type, &api::PodCondition::type);
  return found == pod.status.conditions.end() ? nullptr : found;
}

bool HasIt(const api::PodCondition* have, const Condition& wanted) {
  return have != nullptr && have->status == wanted.status && have->reason == wanted.reason &&
         have->message == wanted.message;
}

// Those that are there keep their order; a new one comes last.
void WriteOrder(const api::Pod& pod, std::string_view added, json::Writer& writer) {
  writer.Key("$setElementOrder/conditions");
  writer.BeginArray();
  const auto write_type = [&](std::string_view type) {
    writer.BeginObject();
    writer.Member("type", type);
    writer.EndObject();
  };
  for (const api::PodCondition& each : pod.status.conditions) {
    write_type(each.type);
  }
  if (!added.empty()) {
    write_type(added);
  }
  writer.EndArray();
}

void WriteCondition(const api::Pod& pod, const Condition& wanted, Time now, json::Writer& writer) {
  const api::PodCondition* const have = FindIn(pod, wanted.type);
  WriteOrder(pod, have == nullptr ? wanted.type : std::string(), writer);
  writer.Key("conditions");
  writer.BeginArray();
  writer.BeginObject();
  writer.Member("type", wanted.type);
  writer.Key("observedGeneration");
  writer.Int(pod.metadata.generation);
  writer.Member("status", wanted.status);
  writer.Member("reason", wanted.reason);
  writer.Member("message", wanted.message);
  if (have == nullptr || have->status != wanted.status) {
    writer.Key("lastProbeTime");
    writer.Null();
    writer.Member("lastTransitionTime", FormatSeconds(now));
  }
  writer.EndObject();
  writer.EndArray();
}

void WriteNomination(const std::string& node, json::Writer& writer) {
  writer.Key("nominatedNodeName");
  if (node.empty()) {
    writer.Null();
  } else {
    writer.String(node);
  }
}

}  // namespace

std::optional<client::Change> StatusPatch(const api::Pod& pod, const StatusWanted& wanted,
                                          Time now) {
  const bool told =
      !wanted.condition || HasIt(FindIn(pod, wanted.condition->type), *wanted.condition);
  const bool nominated =
      !wanted.nominated_node || *wanted.nominated_node == pod.status.nominated_node_name;
  if (told && nominated) {
    return std::nullopt;
  }
  std::string body;
  json::Writer writer(body);
  writer.BeginObject();
  writer.Key("metadata");
  writer.BeginObject();
  writer.Member("uid", pod.metadata.uid);
  writer.EndObject();
  writer.Key("status");
  writer.BeginObject();
  if (!told) {
    WriteCondition(pod, *wanted.condition, now, writer);
  }
  if (!nominated) {
    WriteNomination(*wanted.nominated_node, writer);
  }
  writer.EndObject();
  writer.EndObject();
  return client::Change{
      .type = client::PatchType::kStrategicMerge, .body = std::move(body), .subresource = "status"};
}

}  // namespace quadra::scheduler
