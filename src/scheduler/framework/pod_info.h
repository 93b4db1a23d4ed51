// PodInfo: a pod with what plugins ask of it again and again, worked out once.
//
//   const PodInfoPtr pod = PodInfo::Of(std::move(decoded), gates);
//
// Immutable, shared. Selectors that cannot be read select nothing; `unreadable` then says so in
// upstream's words, and InterPodAffinity's PreFilter fails the pod with it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "api/vocabulary.h"
#include "placement/place.h"
#include "scheduler/framework/amounts.h"
#include "scheduler/framework/label_query.h"

namespace quadra::scheduler {

// A term of the pod's inter-pod (anti-)affinity, read.
struct AffinityTerm {
  std::vector<std::string> namespaces;  // sorted; the pod's own where the term names none
  LabelQuery selector;
  LabelQuery namespace_selector;  // matches nothing where the term has none
  std::string topology_key;
  std::int32_t weight = 0;  // of a preferred one

  // `namespace_labels` are those of the other pod's namespace; null: unknown, as without labels.
  bool Matches(const api::Pod& other, const api::Map<std::string>* namespace_labels) const;
};

struct PodInfo {
  api::Pod pod;
  std::string full_name;  // namespace/name
  std::int32_t priority = 0;
  Amounts requests;  // on its node, as NodeResourcesFit counts
  Amounts
      non_zero_requests;  // cpu and memory alone, with 100m and 200Mi for containers that ask for none
  std::vector<placement::HostPort> ports;
  std::vector<AffinityTerm> required_affinity;
  std::vector<AffinityTerm> required_anti_affinity;
  std::vector<AffinityTerm> preferred_affinity;
  std::vector<AffinityTerm> preferred_anti_affinity;
  std::string unreadable;  // why a selector could not be read; empty: all could

  static std::shared_ptr<const PodInfo> Of(api::Pod pod, const api::FeatureGates& gates);

  const std::string& uid() const { return pod.metadata.uid; }
  bool HasAffinity() const {
    return !required_affinity.empty() || !preferred_affinity.empty() ||
           !required_anti_affinity.empty() || !preferred_anti_affinity.empty();
  }
};
using PodInfoPtr = std::shared_ptr<const PodInfo>;

// What the pod's devices take of the node's own resources besides what its containers ask for. What
// the pod asks for as a whole covers that.
Amounts NodeAllocatableAmounts(const api::Pod& pod,
                               std::span<const api::NodeAllocatableResourceClaimStatus> statuses);

// Whether it ran to its end, or waits for nothing any more.
bool IsTerminal(const api::Pod& pod);

}  // namespace quadra::scheduler
