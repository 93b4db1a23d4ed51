#include <utility>

#include "scheduler/plugins/inter_pod_affinity/inter_pod_affinity.h"
#include "scheduler/plugins/inter_pod_affinity/own_terms.h"
#include "scheduler/plugins/inter_pod_affinity/preferences.h"

namespace quadra::scheduler {
namespace {

using Terms = std::vector<AffinityTerm>;

// Adds up what the terms of the pod and those of existing pods say of where these are.
class PreferenceCounter {
 public:
  PreferenceCounter(const PodInfo& pod, std::int64_t hard_weight, const Snapshot& snapshot)
      : pod_(pod),
        hard_weight_(hard_weight),
        near_(WithNamespaces(pod.preferred_affinity, snapshot)),
        away_(WithNamespaces(pod.preferred_anti_affinity, snapshot)),
        namespace_labels_(snapshot.NamespaceLabels(pod.pod.metadata.ns)) {}

  void Count(const PodInfo& other, const api::Node& node) {
    for (const AffinityTerm& term : near_) {
      Count(term, other.pod, nullptr, node, term.weight);
    }
    for (const AffinityTerm& term : away_) {
      Count(term, other.pod, nullptr, node, -term.weight);
    }
    if (hard_weight_ > 0) {
      for (const AffinityTerm& term : other.required_affinity) {
        Count(term, pod_.pod, namespace_labels_, node, hard_weight_);
      }
    }
    for (const AffinityTerm& term : other.preferred_affinity) {
      Count(term, pod_.pod, namespace_labels_, node, term.weight);
    }
    for (const AffinityTerm& term : other.preferred_anti_affinity) {
      Count(term, pod_.pod, namespace_labels_, node, -term.weight);
    }
  }
  TopologySums Take() { return std::move(weights_); }

 private:
  void Count(const AffinityTerm& term, const api::Pod& chosen,
             const api::Map<std::string>* namespace_labels, const api::Node& node,
             std::int64_t weight) {
    if (term.Matches(chosen, namespace_labels)) {
      weights_.Add(node, term.topology_key, weight);
    }
  }

  const PodInfo& pod_;
  const std::int64_t hard_weight_;
  const Terms near_;
  const Terms away_;
  const api::Map<std::string>* const namespace_labels_;
  TopologySums weights_;
};

}  // namespace

Status InterPodAffinity::PreScore(CycleState& state, const PodInfo& pod,
                                  std::span<const NodeInfo* const> /*nodes*/) const {
  static const Status kNothing(Code::kSkip, std::vector<std::string>());
  const bool prefers = !pod.preferred_affinity.empty() || !pod.preferred_anti_affinity.empty();
  if (args_.ignore_preferred_terms_of_existing_pods && !prefers) {
    return kNothing;
  }
  PreferenceCounter counter(pod, args_.hard_weight, snapshot_);
  for (const NodeInfo* const node : prefers ? snapshot_.nodes() : snapshot_.with_affinity()) {
    for (const PodInfoPtr& other : prefers ? node->pods() : node->pods_with_affinity()) {
      counter.Count(*other, node->node());
    }
  }
  auto preferences = std::make_unique<Preferences>();
  preferences->weights = counter.Take();
  if (preferences->weights.empty()) {
    return kNothing;
  }
  state.Write(kPreferencesKey, std::move(preferences));
  return {};
}

}  // namespace quadra::scheduler
