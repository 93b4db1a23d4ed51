#include "lifecycle/node_health.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "lifecycle/node_taints.h"
#include "lifecycle/patch_text.h"

namespace quadra::lifecycle {

namespace {

// NetworkUnavailable is not the kubelet's to tell.
constexpr std::array<std::string_view, 4> kTold = {"Ready", "MemoryPressure", "DiskPressure",
                                                   "PIDPressure"};

api::NodeCondition NeverTold(const api::Node& node, std::string_view type, Time now) {
  return {.type = std::string(type),
          .status = "Unknown",
          .last_heartbeat_time = node.metadata.creation_timestamp,
          .last_transition_time = now,
          .reason = "NodeStatusNeverUpdated",
          .message = "Kubelet never posted node status."};
}

api::NodeCondition ToldNoMore(api::NodeCondition condition, Time now) {
  condition.status = "Unknown";
  condition.last_transition_time = now;
  condition.reason = "NodeStatusUnknown";
  condition.message = "Kubelet stopped posting node status.";
  return condition;
}

// As they stand, and new ones last.
std::vector<std::string_view> OrderWithChanged(const api::Node& node,
                                               const std::vector<api::NodeCondition>& changed) {
  std::vector<std::string_view> types;
  for (const api::NodeCondition& condition : node.status.conditions) {
    types.emplace_back(condition.type);
  }
  for (const api::NodeCondition& condition : changed) {
    if (FindCondition(node, condition.type) == nullptr) {
      types.emplace_back(condition.type);
    }
  }
  return types;
}

void WriteCondition(json::Writer& writer, const api::NodeCondition& condition) {
  writer.BeginObject();
  WriteMember(writer, "type", condition.type);
  WriteMember(writer, "status", condition.status);
  if (condition.last_heartbeat_time) {
    WriteMember(writer, "lastHeartbeatTime", *condition.last_heartbeat_time);
  }
  WriteMember(writer, "lastTransitionTime", condition.last_transition_time.value_or(Time()));
  WriteMember(writer, "reason", condition.reason);
  WriteMember(writer, "message", condition.message);
  writer.EndObject();
}

// In that order: a server refuses a patch that lists them in another one than it gives.
void WriteConditions(json::Writer& writer, const std::vector<std::string_view>& order,
                     const std::vector<api::NodeCondition>& conditions) {
  writer.BeginArray();
  for (const std::string_view type : order) {
    const auto found = std::ranges::find(conditions, type, &api::NodeCondition::type);
    if (found != conditions.end()) {
      WriteCondition(writer, *found);
    }
  }
  writer.EndArray();
}

}  // namespace

void NodeHealth::Observe(const api::Node& node, std::optional<Time> lease_renewed, Time now) {
  const api::NodeCondition* const ready = FindCondition(node, "Ready");
  if (ready == nullptr) {
    heard_ = known_ ? heard_ : node.metadata.creation_timestamp.value_or(now);
    ready_.clear();
    heartbeat_.reset();
  } else if (ready_.empty() || ready->last_heartbeat_time != heartbeat_) {
    heard_ = now;
    ready_ = ready->status;
    heartbeat_ = ready->last_heartbeat_time;
  }
  known_ = true;
  if (lease_renewed && (!renewed_ || *renewed_ < *lease_renewed)) {
    renewed_ = lease_renewed;
    heard_ = now;
  }
}

bool NodeHealth::IsSilent(const api::Node& node, const SilenceAllowed& allowed, Time now) const {
  const bool told = FindCondition(node, "Ready") != nullptr;
  return now > heard_ + (told ? allowed.running : allowed.startup);
}

std::vector<api::NodeCondition> UnknownConditions(const api::Node& node, Time now) {
  const api::NodeCondition* const ready = FindCondition(node, "Ready");
  if (ready != nullptr && ready->status == "Unknown") {
    return {};
  }
  std::vector<api::NodeCondition> changed;
  for (const std::string_view type : kTold) {
    const api::NodeCondition* const have = FindCondition(node, type);
    if (have == nullptr) {
      changed.push_back(NeverTold(node, type, now));
    } else if (have->status != "Unknown") {
      changed.push_back(ToldNoMore(*have, now));
    }
  }
  return changed;
}

std::string ConditionsPatch(const api::Node& node,
                            const std::vector<api::NodeCondition>& conditions) {
  const std::vector<std::string_view> order = OrderWithChanged(node, conditions);
  return PatchText({.uid = node.metadata.uid, .resource_version = node.metadata.resource_version},
                   "status", [&](json::Writer& writer) {
                     WriteConditionOrder(writer, order);
                     writer.Key("conditions");
                     WriteConditions(writer, order, conditions);
                   });
}

}  // namespace quadra::lifecycle
