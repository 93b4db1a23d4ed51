#include <algorithm>

#include "scheduler/plugins/inter_pod_affinity/inter_pod_affinity.h"
#include "scheduler/plugins/inter_pod_affinity/own_terms.h"

namespace quadra::scheduler {
namespace {

bool IsNowhere(const PodInfo* pod) {
  return pod != nullptr && pod->pod.spec.node_name.empty() &&
         pod->pod.status.nominated_node_name.empty();
}

bool HelpsByChanging(const PodInfo& pod, const PodInfo& before, const PodInfo& now) {
  return (!MatchesAll(pod.required_affinity, before.pod) &&
          MatchesAll(pod.required_affinity, now.pod)) ||
         (MatchesAny(pod.required_anti_affinity, before.pod) &&
          !MatchesAny(pod.required_anti_affinity, now.pod));
}

bool HelpsByGoing(const PodInfo& pod, const PodInfo& gone) {
  return MatchesAny(pod.required_anti_affinity, gone.pod) ||
         MatchesAny(gone.required_anti_affinity, pod.pod);
}

bool MayHelpAffinity(const PodInfo& pod, const EventObjects& objects) {
  const PodInfo* const before = objects.pod_before;
  const PodInfo* const now = objects.pod_now;
  if (IsNowhere(before) || IsNowhere(now)) {
    return false;
  }
  if (before != nullptr && now != nullptr) {
    return HelpsByChanging(pod, *before, *now);
  }
  if (now != nullptr) {
    return MatchesAll(pod.required_affinity, now->pod);
  }
  return before == nullptr || HelpsByGoing(pod, *before);
}

// Null where there is no node, or no such label on it.
const std::string* TopologyOf(const api::Node* node, const std::string& key) {
  return node == nullptr ? nullptr : node->metadata.labels.Find(key);
}

// A node that joins a topology, or goes to another.
bool Joins(const EventObjects& objects, const std::string& key) {
  const std::string* const before = TopologyOf(objects.node_before, key);
  const std::string* const now = TopologyOf(objects.node_now, key);
  return now != nullptr && (before == nullptr || *before != *now);
}

// A node that leaves a topology, or goes to another; a new one may be in none.
bool Leaves(const EventObjects& objects, const std::string& key) {
  const std::string* const before = TopologyOf(objects.node_before, key);
  const std::string* const now = TopologyOf(objects.node_now, key);
  return objects.node_before == nullptr ||
         (before != nullptr && (now == nullptr || *before != *now));
}

bool MayNodeHelpAffinity(const PodInfo& pod, const EventObjects& objects) {
  return std::ranges::any_of(
             pod.required_affinity,
             [&](const AffinityTerm& term) { return Joins(objects, term.topology_key); }) ||
         std::ranges::any_of(pod.required_anti_affinity, [&](const AffinityTerm& term) {
           return Leaves(objects, term.topology_key);
         });
}

}  // namespace

std::vector<EventHint> InterPodAffinity::EventsToRegister() const {
  return {{.event = {.resource = EventResource::kAssignedPod,
                     .actions = action::kAdd | action::kUpdatePodLabel | action::kDelete},
           .hint = MayHelpAffinity},
          {.event = {.resource = EventResource::kTargetPod, .actions = action::kUpdatePodLabel},
           .hint = nullptr},
          {.event = {.resource = EventResource::kNode,
                     .actions = action::kAdd | action::kUpdateNodeLabel},
           .hint = MayNodeHelpAffinity}};
}

}  // namespace quadra::scheduler
