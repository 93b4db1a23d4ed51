// MatchingPods: where pods are that decide a pod's required terms, from PreFilter to Filter.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/framework/cycle_state.h"
#include "scheduler/framework/pod_info.h"
#include "scheduler/plugins/inter_pod_affinity/topology_sums.h"

namespace quadra::scheduler {

struct MatchingPods final : StateData {
  std::vector<AffinityTerm> affinity;  // the pod's own
  std::vector<AffinityTerm> anti_affinity;
  const api::Map<std::string>* namespace_labels = nullptr;  // of the pod's namespace
  TopologySums wanted;    // pods that all of `affinity` choose, by each term's key
  TopologySums unwanted;  // pods that one of `anti_affinity` chooses, by its key
  TopologySums
      unwilling;  // pods of which a required anti-affinity term chooses the pod, by its key

  std::unique_ptr<StateData> Clone() const override {
    return std::make_unique<MatchingPods>(*this);
  }

  // Pods on a node: one more (1), or one less (-1).
  void CountByOwnTerms(const api::Pod& other, const api::Node& node, std::int64_t by);
  void CountByItsTerms(const PodInfo& pod, const PodInfo& other, const api::Node& node,
                       std::int64_t by);
};

}  // namespace quadra::scheduler
