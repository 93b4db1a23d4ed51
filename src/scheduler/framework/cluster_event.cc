#include "scheduler/framework/cluster_event.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace quadra::scheduler {
namespace {

std::string_view NameOf(EventResource resource) {
  switch (resource) {
    case EventResource::kPod:
      return "Pod";
    case EventResource::kAssignedPod:
      return "AssignedPod";
    case EventResource::kUnscheduledPod:
      return "UnscheduledPod";
    case EventResource::kTargetPod:
      return "TargetPod";
    case EventResource::kNode:
      return "Node";
    case EventResource::kResourceClaim:
      return "resource.k8s.io/ResourceClaim";
    case EventResource::kResourceSlice:
      return "resource.k8s.io/ResourceSlice";
    case EventResource::kDeviceClass:
      return "resource.k8s.io/DeviceClass";
    case EventResource::kWildCard:
      return "*";
  }
  return "";
}

std::string_view NameOf(Actions actions) {
  static constexpr auto kNames = std::to_array<std::pair<Actions, std::string_view>>({
      {action::kAdd, "Add"},
      {action::kDelete, "Delete"},
      {action::kUpdateNodeAllocatable, "UpdateNodeAllocatable"},
      {action::kUpdateNodeLabel, "UpdateNodeLabel"},
      {action::kUpdateNodeTaint, "UpdateNodeTaint"},
      {action::kUpdateNodeCondition, "UpdateNodeCondition"},
      {action::kUpdateNodeAnnotation, "UpdateNodeAnnotation"},
      {action::kUpdateNodeDeclaredFeature, "UpdateNodeDeclaredFeature"},
      {action::kUpdatePodLabel, "UpdatePodLabel"},
      {action::kUpdatePodScaleDown, "UpdatePodScaleDown"},
      {action::kUpdatePodScaleUp, "UpdatePodScaleUp"},
      {action::kUpdatePodToleration, "UpdatePodToleration"},
      {action::kUpdatePodSchedulingGatesEliminated, "UpdatePodSchedulingGatesEliminated"},
      {action::kUpdatePodGeneratedResourceClaim, "UpdatePodGeneratedResourceClaim"},
      {action::kAll, "All"},
      {action::kUpdate, "Update"},
  });
  const auto* const found =
      std::ranges::find(kNames, actions, &std::pair<Actions, std::string_view>::first);
  return found == kNames.end() ? "" : found->second;
}

bool IsOfPods(EventResource resource) {
  return resource == EventResource::kAssignedPod || resource == EventResource::kUnscheduledPod ||
         resource == EventResource::kTargetPod;
}

bool Covers(EventResource wanted, EventResource happened) {
  return wanted == EventResource::kWildCard || wanted == happened ||
         (wanted == EventResource::kPod && IsOfPods(happened));
}

// Which way the requests went: 0, or one or both of the actions.
Actions ScalingOf(const PodInfo& before, const PodInfo& now) {
  const placement::ResourceAmounts old_amounts = placement::RequestsOnNode(before.pod).amounts;
  const placement::ResourceAmounts new_amounts = placement::RequestsOnNode(now.pod).amounts;
  const auto shrinks = [](const auto& from, const auto& to) {
    return std::ranges::any_of(from, [&](const auto& entry) {
      const auto found = to.find(entry.first);
      return found == to.end() || found->second < entry.second;
    });
  };
  return (shrinks(old_amounts, new_amounts) ? action::kUpdatePodScaleDown : 0) |
         (shrinks(new_amounts, old_amounts) ? action::kUpdatePodScaleUp : 0);
}

Actions PodChanges(const PodInfo& before, const PodInfo& now) {
  const api::Pod& old_pod = before.pod;
  const api::Pod& new_pod = now.pod;
  Actions changed = ScalingOf(before, now);
  if (old_pod.metadata.labels != new_pod.metadata.labels) {
    changed |= action::kUpdatePodLabel;
  }
  if (!old_pod.spec.scheduling_gates.empty() && new_pod.spec.scheduling_gates.empty()) {
    changed |= action::kUpdatePodSchedulingGatesEliminated;
  }
  if (old_pod.spec.tolerations.size() != new_pod.spec.tolerations.size()) {
    changed |= action::kUpdatePodToleration;
  }
  if (old_pod.status.resource_claim_statuses != new_pod.status.resource_claim_statuses ||
      old_pod.status.extended_resource_claim_status !=
          new_pod.status.extended_resource_claim_status) {
    changed |= action::kUpdatePodGeneratedResourceClaim;
  }
  return changed;
}

std::map<std::string_view, std::string_view> ConditionsOf(const api::Node& node) {
  std::map<std::string_view, std::string_view> statuses;
  for (const api::NodeCondition& each : node.status.conditions) {
    statuses[each.type] = each.status;
  }
  return statuses;
}

Actions NodeChanges(const api::Node& before, const api::Node& now) {
  Actions changed = 0;
  if ((before.spec.unschedulable && !now.spec.unschedulable) ||
      before.spec.taints != now.spec.taints) {
    changed |= action::kUpdateNodeTaint;
  }
  if (before.status.allocatable != now.status.allocatable) {
    changed |= action::kUpdateNodeAllocatable;
  }
  if (before.metadata.labels != now.metadata.labels) {
    changed |= action::kUpdateNodeLabel;
  }
  if (ConditionsOf(before) != ConditionsOf(now)) {
    changed |= action::kUpdateNodeCondition;
  }
  if (before.metadata.annotations != now.metadata.annotations) {
    changed |= action::kUpdateNodeAnnotation;
  }
  if (before.status.declared_features != now.status.declared_features) {
    changed |= action::kUpdateNodeDeclaredFeature;
  }
  return changed;
}

// One event for each action, lowest first.
std::vector<ClusterEvent> EventsFor(EventResource resource, Actions changed) {
  std::vector<ClusterEvent> events;
  for (Actions one = 1; one < action::kAll; one <<= 1U) {
    if ((changed & one) != 0) {
      events.push_back({.resource = resource, .actions = one});
    }
  }
  return events;
}

}  // namespace

std::string ClusterEvent::Label() const {
  return label.empty() ? fmt::format("{}{}", NameOf(resource), NameOf(actions))
                       : std::string(label);
}

bool ClusterEvent::Matches(const ClusterEvent& happened) const {
  const bool all = resource == EventResource::kWildCard && actions == action::kAll;
  return all || (Covers(resource, happened.resource) && (actions & happened.actions) != 0 &&
                 happened.actions <= actions);
}

std::vector<ClusterEvent> ChangesOf(const PodInfo& before, const PodInfo& now, bool is_target) {
  const EventResource resource = !now.pod.spec.node_name.empty() ? EventResource::kAssignedPod
                                 : is_target                     ? EventResource::kTargetPod
                                                                 : EventResource::kUnscheduledPod;
  const Actions changed = PodChanges(before, now);
  if (changed == 0) {
    return {{.resource = resource, .actions = action::kUpdate}};
  }
  return EventsFor(resource, changed);
}

std::vector<ClusterEvent> ChangesOf(const api::Node& before, const api::Node& now) {
  return EventsFor(EventResource::kNode, NodeChanges(before, now));
}

}  // namespace quadra::scheduler
