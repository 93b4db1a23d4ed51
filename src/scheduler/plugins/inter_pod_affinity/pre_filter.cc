#include <utility>

#include <fmt/format.h>

#include "scheduler/plugins/inter_pod_affinity/inter_pod_affinity.h"
#include "scheduler/plugins/inter_pod_affinity/matching_pods.h"
#include "scheduler/plugins/inter_pod_affinity/own_terms.h"

namespace quadra::scheduler {

void MatchingPods::CountByOwnTerms(const api::Pod& other, const api::Node& node, std::int64_t by) {
  if (MatchesAll(affinity, other)) {
    for (const AffinityTerm& term : affinity) {
      wanted.Add(node, term.topology_key, by);
    }
  }
  for (const AffinityTerm& term : anti_affinity) {
    if (term.Matches(other, nullptr)) {
      unwanted.Add(node, term.topology_key, by);
    }
  }
}

void MatchingPods::CountByItsTerms(const PodInfo& pod, const PodInfo& other, const api::Node& node,
                                   std::int64_t by) {
  for (const AffinityTerm& term : other.required_anti_affinity) {
    if (term.Matches(pod.pod, namespace_labels)) {
      unwilling.Add(node, term.topology_key, by);
    }
  }
}

PreFilterResult InterPodAffinity::PreFilter(CycleState& state, const PodInfo& pod) const {
  if (!pod.unreadable.empty()) {
    return {.status = Status(Code::kUnschedulableAndUnresolvable,
                             fmt::format("parsing pod: {}", pod.unreadable)),
            .nodes = std::nullopt};
  }
  auto pods = std::make_unique<MatchingPods>();
  pods->affinity = WithNamespaces(pod.required_affinity, snapshot_);
  pods->anti_affinity = WithNamespaces(pod.required_anti_affinity, snapshot_);
  pods->namespace_labels = snapshot_.NamespaceLabels(pod.pod.metadata.ns);
  for (const NodeInfo* const node : snapshot_.with_required_anti_affinity()) {
    for (const PodInfoPtr& other : node->pods_with_required_anti_affinity()) {
      pods->CountByItsTerms(pod, *other, node->node(), 1);
    }
  }
  if (pods->affinity.empty() && pods->anti_affinity.empty()) {
    if (pods->unwilling.empty()) {
      return {.status = Status(Code::kSkip, std::vector<std::string>()), .nodes = std::nullopt};
    }
  } else {
    for (const NodeInfo* const node : snapshot_.nodes()) {
      for (const PodInfoPtr& other : node->pods()) {
        pods->CountByOwnTerms(other->pod, node->node(), 1);
      }
    }
  }
  state.Write(kName, std::move(pods));
  return {};
}

Status InterPodAffinity::AddPod(CycleState& state, const PodInfo& pod, const PodInfo& other,
                                const NodeInfo& node) const {
  auto* const pods = state.Read<MatchingPods>(kName);
  pods->CountByOwnTerms(other.pod, node.node(), 1);
  pods->CountByItsTerms(pod, other, node.node(), 1);
  return {};
}

Status InterPodAffinity::RemovePod(CycleState& state, const PodInfo& pod, const PodInfo& other,
                                   const NodeInfo& node) const {
  auto* const pods = state.Read<MatchingPods>(kName);
  pods->CountByOwnTerms(other.pod, node.node(), -1);
  pods->CountByItsTerms(pod, other, node.node(), -1);
  return {};
}

}  // namespace quadra::scheduler
