#include "lifecycle/node_taints.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "lifecycle/patch_text.h"

namespace quadra::lifecycle {

namespace {

constexpr std::string_view kNoSchedule = "NoSchedule";
constexpr std::string_view kNoExecute = "NoExecute";
constexpr std::string_view kUnschedulableTaint = "node.kubernetes.io/unschedulable";

// A condition of this status asks for the taint.
struct ConditionTaint {
  std::string_view condition;
  std::string_view status;
  std::string_view taint;
};
constexpr std::array kConditionTaints = {
    ConditionTaint{"Ready", "False", kNotReadyTaint},
    ConditionTaint{"Ready", "Unknown", kUnreachableTaint},
    ConditionTaint{"MemoryPressure", "True", "node.kubernetes.io/memory-pressure"},
    ConditionTaint{"DiskPressure", "True", "node.kubernetes.io/disk-pressure"},
    ConditionTaint{"NetworkUnavailable", "True", "node.kubernetes.io/network-unavailable"},
    ConditionTaint{"PIDPressure", "True", "node.kubernetes.io/pid-pressure"},
};

// Old labels, and the ones that they repeat.
constexpr std::array<std::array<std::string_view, 2>, 2> kRepeatedLabels = {{
    {"beta.kubernetes.io/os", "kubernetes.io/os"},
    {"beta.kubernetes.io/arch", "kubernetes.io/arch"},
}};

using Keys = std::vector<std::string_view>;

bool Contains(const Keys& keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

Keys WantedByConditions(const api::Node& node) {
  Keys keys;
  for (const api::NodeCondition& condition : node.status.conditions) {
    for (const ConditionTaint& row : kConditionTaints) {
      if (row.condition == condition.type && row.status == condition.status) {
        keys.push_back(row.taint);
      }
    }
  }
  if (node.spec.unschedulable) {
    keys.push_back(kUnschedulableTaint);
  }
  return keys;
}

Keys KeysOfConditions() {
  Keys keys = {kUnschedulableTaint};
  for (const ConditionTaint& row : kConditionTaints) {
    keys.push_back(row.taint);
  }
  return keys;
}

// The node's taints with, of this effect and of the keys of `ours`, exactly `wanted`; absent where
// they are so.
std::optional<api::List<api::Taint>> With(const api::Node& node, std::string_view effect,
                                          const Keys& ours, const Keys& wanted, Time now) {
  api::List<api::Taint> taints;
  Keys missing = wanted;
  for (const api::Taint& taint : node.spec.taints) {
    const bool is_ours = taint.effect == effect && Contains(ours, taint.key);
    if (!is_ours || Contains(wanted, taint.key)) {
      taints.push_back(taint);
    }
    if (is_ours) {
      std::erase(missing, taint.key);
    }
  }
  for (const std::string_view key : missing) {
    taints.push_back({.key = std::string(key), .effect = std::string(effect), .time_added = now});
  }
  return taints == node.spec.taints ? std::nullopt : std::optional(std::move(taints));
}

void WriteTaints(json::Writer& writer, const api::List<api::Taint>& taints) {
  writer.Key("taints");
  if (taints.empty()) {
    return writer.Null();
  }
  writer.BeginArray();
  for (const api::Taint& taint : taints) {
    writer.BeginObject();
    WriteMember(writer, "key", taint.key);
    if (!taint.value.empty()) {
      WriteMember(writer, "value", taint.value);
    }
    WriteMember(writer, "effect", taint.effect);
    if (taint.time_added) {
      WriteMember(writer, "timeAdded", *taint.time_added);
    }
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteLabels(json::Writer& writer, const std::map<std::string, std::string>& labels) {
  if (labels.empty()) {
    return;
  }
  writer.Key("labels");
  writer.BeginObject();
  for (const auto& [key, value] : labels) {
    WriteMember(writer, key, value);
  }
  writer.EndObject();
}

std::string LabelOf(const api::Node& node, std::string_view first, std::string_view second) {
  const std::string* const old = node.metadata.labels.Find(first);
  const std::string* const found = old != nullptr ? old : node.metadata.labels.Find(second);
  return found == nullptr ? "" : *found;
}

}  // namespace

const api::NodeCondition* FindCondition(const api::Node& node, std::string_view type) {
  const auto* const found =
      std::ranges::find(node.status.conditions, type, &api::NodeCondition::type);
  return found == node.status.conditions.end() ? nullptr : found;
}

bool HasTaint(const api::Node& node, std::string_view key, std::string_view effect) {
  return std::ranges::any_of(node.spec.taints, [&](const api::Taint& taint) {
    return taint.key == key && taint.effect == effect;
  });
}

std::string NodeEdit::PatchText(const api::Node& node) const {
  return lifecycle::PatchText(
      {.uid = node.metadata.uid, .resource_version = node.metadata.resource_version},
      [&](json::Writer& writer) { WriteLabels(writer, labels); },
      [&](json::Writer& writer) {
        if (taints) {
          WriteTaints(writer, *taints);
        }
      });
}

NodeEdit EditByConditions(const api::Node& node, Time now) {
  NodeEdit edit{
      .taints = With(node, kNoSchedule, KeysOfConditions(), WantedByConditions(node), now),
      .labels = {}};
  for (const auto& [old, current] : kRepeatedLabels) {
    const std::string* const value = node.metadata.labels.Find(current);
    const std::string* const repeated = node.metadata.labels.Find(old);
    if (value != nullptr && (repeated == nullptr || *repeated != *value)) {
      edit.labels.emplace(old, *value);
    }
  }
  return edit;
}

NodeEdit EditByReadiness(const api::Node& node, Time now) {
  const api::NodeCondition* const ready = FindCondition(node, "Ready");
  if (ready == nullptr || (ready->status != "False" && ready->status != "Unknown")) {
    return ready == nullptr ? NodeEdit() : LiftedTaints(node);
  }
  const std::string_view wanted = ready->status == "False" ? kNotReadyTaint : kUnreachableTaint;
  return {.taints = With(node, kNoExecute, {kNotReadyTaint, kUnreachableTaint}, {wanted}, now),
          .labels = {}};
}

NodeEdit LiftedTaints(const api::Node& node) {
  return {.taints = With(node, kNoExecute, {kNotReadyTaint, kUnreachableTaint}, {}, Time()),
          .labels = {}};
}

std::string ZoneOf(const api::Node& node) {
  const std::string zone =
      LabelOf(node, "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone");
  const std::string region =
      LabelOf(node, "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region");
  return zone.empty() && region.empty() ? "" : fmt::format("{}/{}", region, zone);
}

}  // namespace quadra::lifecycle
