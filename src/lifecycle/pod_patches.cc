#include "lifecycle/pod_patches.h"

#include <functional>
#include <vector>

#include "lifecycle/patch_text.h"
#include "lifecycle/pod_state.h"

namespace quadra::lifecycle {

namespace {

// As they stand, and a new one last.
std::vector<std::string_view> OrderWithType(const api::Pod& pod, std::string_view type) {
  std::vector<std::string_view> types;
  for (const api::PodCondition& condition : pod.status.conditions) {
    types.emplace_back(condition.type);
  }
  if (FindCondition(pod, type) == nullptr) {
    types.push_back(type);
  }
  return types;
}

// Of one condition, which `write` writes.
client::Change StatusChange(const PatchTarget& target, const std::vector<std::string_view>& order,
                            const std::function<void(json::Writer&)>& write) {
  const auto list = [&](json::Writer& writer) {
    WriteConditionOrder(writer, order);
    writer.Key("conditions");
    writer.BeginArray();
    writer.BeginObject();
    write(writer);
    writer.EndObject();
    writer.EndArray();
  };
  return {.type = client::PatchType::kStrategicMerge,
          .body = PatchText(target, "status", list),
          .subresource = "status"};
}

}  // namespace

std::optional<client::Change> SetCondition(const api::Pod& pod, const ConditionChange& wanted,
                                           Time now) {
  const api::PodCondition* const have = FindCondition(pod, wanted.type);
  const bool same_status = have != nullptr && have->status == wanted.status;
  if (same_status && have->reason == wanted.reason && have->message == wanted.message) {
    return std::nullopt;
  }
  PatchTarget target{.uid = pod.metadata.uid};
  if (wanted.of_this_revision) {
    target.resource_version = pod.metadata.resource_version;
  }
  return StatusChange(target, OrderWithType(pod, wanted.type), [&](json::Writer& writer) {
    WriteMember(writer, "type", wanted.type);
    WriteNumber(writer, "observedGeneration", pod.metadata.generation);
    WriteMember(writer, "status", wanted.status);
    WriteMember(writer, "reason", wanted.reason);
    WriteMember(writer, "message", wanted.message);
    if (!same_status) {
      WriteMember(writer, "lastTransitionTime", now);
    }
  });
}

std::optional<client::Change> SetUnready(const api::Pod& pod, Time now) {
  const api::PodCondition* const ready = FindCondition(pod, "Ready");
  if (ready == nullptr || ready->status == "False") {
    return std::nullopt;
  }
  return StatusChange({.uid = pod.metadata.uid}, OrderWithType(pod, "Ready"),
                      [&](json::Writer& writer) {
                        WriteMember(writer, "type", "Ready");
                        WriteMember(writer, "status", "False");
                        WriteMember(writer, "lastTransitionTime", now);
                      });
}

client::ObjectReference ReferenceTo(const api::Pod& pod) {
  return {.api_version = "v1",
          .kind = "Pod",
          .ns = pod.metadata.ns,
          .name = pod.metadata.name,
          .uid = pod.metadata.uid,
          .resource_version = pod.metadata.resource_version};
}

}  // namespace quadra::lifecycle
