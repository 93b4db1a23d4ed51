#include "scheduler/status_patch.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "api/vocabulary.h"
#include "json/writer.h"

namespace quadra::scheduler {
namespace {

constexpr std::string_view kScheduled = "PodScheduled";

const api::PodCondition* FindScheduled(const api::Pod& pod) {
  const auto* const found =
      std::ranges::find(pod.status.conditions, kScheduled, &api::PodCondition::type);
  return found == pod.status.conditions.end() ? nullptr : found;
}

void WriteCondition(const api::Pod& pod, const NotPlaced& wanted, const api::PodCondition* have,
                    Time now, json::Writer& writer) {
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
  if (have == nullptr) {
    write_type(kScheduled);
  }
  writer.EndArray();
  writer.Key("conditions");
  writer.BeginArray();
  writer.BeginObject();
  writer.Member("type", kScheduled);
  writer.Key("observedGeneration");
  writer.Int(pod.metadata.generation);
  writer.Member("status", "False");
  writer.Member("reason", wanted.reason);
  writer.Member("message", wanted.message);
  if (have == nullptr || have->status != "False") {
    writer.Key("lastProbeTime");
    writer.Null();
    writer.Member("lastTransitionTime", FormatSeconds(now));
  }
  writer.EndObject();
  writer.EndArray();
}

}  // namespace

std::optional<client::Change> StatusPatch(const api::Pod& pod, const NotPlaced& wanted, Time now) {
  const api::PodCondition* const have = FindScheduled(pod);
  const bool told = have != nullptr && have->status == "False" && have->reason == wanted.reason &&
                    have->message == wanted.message;
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
    WriteCondition(pod, wanted, have, now, writer);
  }
  if (!nominated) {
    writer.Key("nominatedNodeName");
    if (wanted.nominated_node->empty()) {
      writer.Null();
    } else {
      writer.String(*wanted.nominated_node);
    }
  }
  writer.EndObject();
  writer.EndObject();
  return client::Change{
      .type = client::PatchType::kStrategicMerge, .body = std::move(body), .subresource = "status"};
}

}  // namespace quadra::scheduler
