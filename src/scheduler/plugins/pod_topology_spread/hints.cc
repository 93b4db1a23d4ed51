#include <algorithm>

#include "scheduler/plugins/pod_topology_spread/pod_topology_spread.h"

namespace quadra::scheduler {
namespace {

using SpreadConstraints = std::vector<SpreadConstraint>;

bool MatchesSome(const SpreadConstraints& constraints, const api::Pod& pod) {
  return std::ranges::any_of(constraints, [&](const SpreadConstraint& each) {
    return each.selector.Matches(pod.metadata.labels);
  });
}

bool IsChosenOtherwise(const SpreadConstraints& constraints, const api::Pod& before,
                       const api::Pod& now) {
  return std::ranges::any_of(constraints, [&](const SpreadConstraint& each) {
    return each.selector.Matches(before.metadata.labels) !=
           each.selector.Matches(now.metadata.labels);
  });
}

// Whether where the other pod is matters to the pod.
bool IsInvolved(const api::Pod& other, const api::Pod& pod) {
  const bool is_somewhere =
      !other.spec.node_name.empty() || !other.status.nominated_node_name.empty();
  return is_somewhere && other.metadata.ns == pod.metadata.ns;
}

// REQUIRES: both have all keys.
bool IsElsewhere(const api::Node& before, const api::Node& now,
                 const SpreadConstraints& constraints) {
  return std::ranges::any_of(constraints, [&](const SpreadConstraint& each) {
    return *before.metadata.labels.Find(each.topology_key) !=
           *now.metadata.labels.Find(each.topology_key);
  });
}

bool MattersThatChanged(const api::Node& before, const api::Node& now,
                        const SpreadConstraints& constraints) {
  const bool counted = HasKeysOf(constraints, before);
  const bool counts = HasKeysOf(constraints, now);
  return counted != counts || (counts && (IsElsewhere(before, now, constraints) ||
                                          before.spec.taints != now.spec.taints));
}

}  // namespace

bool PodTopologySpread::MayPodHelp(const PodInfo& pod, const EventObjects& objects) const {
  const PodInfo* const before = objects.pod_before;
  const PodInfo* const now = objects.pod_now;
  if ((now != nullptr && !IsInvolved(now->pod, pod.pod)) ||
      (before != nullptr && !IsInvolved(before->pod, pod.pod))) {
    return false;
  }
  const Result<Constraints> constraints = ConstraintsOf(pod.pod, "DoNotSchedule");
  if (!constraints || (before == nullptr && now == nullptr)) {
    return true;
  }
  if (before != nullptr && now != nullptr) {
    return IsChosenOtherwise(*constraints, before->pod, now->pod);
  }
  return MatchesSome(*constraints, now != nullptr ? now->pod : before->pod);
}

bool PodTopologySpread::MayOwnChangeHelp(const PodInfo& pod, const EventObjects& objects) const {
  const Result<Constraints> constraints = ConstraintsOf(pod.pod, "DoNotSchedule");
  if (!constraints || objects.pod_before == nullptr || objects.pod_now == nullptr) {
    return true;
  }
  const api::Pod& before = objects.pod_before->pod;
  const api::Pod& now = objects.pod_now->pod;
  const bool tolerates_otherwise = !(before.spec.tolerations == now.spec.tolerations);
  return (tolerates_otherwise &&
          std::ranges::any_of(*constraints, &SpreadConstraint::honors_taints)) ||
         IsChosenOtherwise(*constraints, before, now);
}

bool PodTopologySpread::MayNodeHelp(const PodInfo& pod, const EventObjects& objects) const {
  const Result<Constraints> constraints = ConstraintsOf(pod.pod, "DoNotSchedule");
  const api::Node* const before = objects.node_before;
  const api::Node* const now = objects.node_now;
  if (!constraints || (before == nullptr && now == nullptr)) {
    return true;
  }
  if (before != nullptr && now != nullptr) {
    return MattersThatChanged(*before, *now, *constraints);
  }
  return HasKeysOf(*constraints, now != nullptr ? *now : *before);
}

std::vector<EventHint> PodTopologySpread::EventsToRegister() const {
  const auto asking = [this](bool (PodTopologySpread::*may)(const PodInfo&, const EventObjects&)
                                 const) -> QueueingHint {
    return [this, may](const PodInfo& pod, const EventObjects& objects) {
      return (this->*may)(pod, objects);
    };
  };
  return {{.event = {.resource = EventResource::kAssignedPod,
                     .actions = action::kAdd | action::kUpdatePodLabel | action::kDelete},
           .hint = asking(&PodTopologySpread::MayPodHelp)},
          {.event = {.resource = EventResource::kTargetPod,
                     .actions = action::kUpdatePodToleration | action::kUpdatePodLabel},
           .hint = asking(&PodTopologySpread::MayOwnChangeHelp)},
          {.event = {.resource = EventResource::kNode,
                     .actions = action::kAdd | action::kDelete | action::kUpdateNodeLabel |
                                action::kUpdateNodeTaint},
           .hint = asking(&PodTopologySpread::MayNodeHelp)}};
}

}  // namespace quadra::scheduler
