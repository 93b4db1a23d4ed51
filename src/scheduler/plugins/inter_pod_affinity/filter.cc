#include <algorithm>

#include "scheduler/plugins/inter_pod_affinity/inter_pod_affinity.h"
#include "scheduler/plugins/inter_pod_affinity/matching_pods.h"
#include "scheduler/plugins/inter_pod_affinity/own_terms.h"

namespace quadra::scheduler {
namespace {

// The first pod of a group that wants to be together has nobody to go to, and may go anywhere.
bool IsFirstOfItsKind(const MatchingPods& pods, const PodInfo& pod) {
  return pods.wanted.IsZeroEverywhere() && MatchesAll(pods.affinity, pod.pod);
}

bool HasAllKeys(const api::Node& node, const std::vector<AffinityTerm>& terms) {
  return std::ranges::all_of(terms, [&](const AffinityTerm& term) {
    return node.metadata.labels.Find(term.topology_key) != nullptr;
  });
}

bool IsNearAllWanted(const MatchingPods& pods, const PodInfo& pod, const api::Node& node) {
  if (pods.affinity.empty()) {
    return true;
  }
  if (!HasAllKeys(node, pods.affinity)) {
    return false;
  }
  const bool near_all = std::ranges::all_of(pods.affinity, [&](const AffinityTerm& term) {
    return pods.wanted.At(node, term.topology_key) > 0;
  });
  return near_all || IsFirstOfItsKind(pods, pod);
}

}  // namespace

Status InterPodAffinity::Filter(CycleState& state, const PodInfo& pod, const NodeInfo& node) const {
  static const Status kNotNear(Code::kUnschedulableAndUnresolvable,
                               "node(s) didn't match pod affinity rules");
  static const Status kTooNear(Code::kUnschedulable,
                               "node(s) didn't match pod anti-affinity rules");
  static const Status kUnwilling(Code::kUnschedulable,
                                 "node(s) didn't satisfy existing pods anti-affinity rules");
  const auto& pods = *state.Read<MatchingPods>(kName);
  if (!IsNearAllWanted(pods, pod, node.node())) {
    return kNotNear;
  }
  if (pods.unwanted.AnyPositiveAt(node.node())) {
    return kTooNear;
  }
  return pods.unwilling.AnyPositiveAt(node.node()) ? kUnwilling : Status();
}

}  // namespace quadra::scheduler
