// NodeFilter: whether a pod may run on a node at all, as far as the pod and the node say so.
//
// The scheduler's plugins NodeUnschedulable, NodeName, TaintToleration and NodeAffinity, in that
// order and in their words. What needs other pods is for node_room.h (cpu, memory, ports) or not
// looked at (affinity between pods).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "placement/node_room.h"
#include "validation/validate.h"

namespace quadra::placement {

// Why the pod may not run there; empty where it may.
std::string_view WhyNodeRejects(const api::Pod& pod, const api::Node& node,
                                const api::FeatureGates& gates);

// All that keeps the pod away from the node, as far as one of them could be changed.
struct Obstacles {
  bool cordon = false;
  std::vector<api::Taint> taints;
  std::vector<std::string> labels;  // keys of the pod's nodeSelector whose values the node lacks
  bool affinity = false;            // required, and not met
  Lack lack;                        // what other pods leave too little of

  bool empty() const { return lack.empty() && !Reject(); }
  bool IsLackOnly() const { return !lack.empty() && !Reject(); }
  // Whatever other pods leave.
  bool Reject() const { return cordon || !taints.empty() || !labels.empty() || affinity; }
};
// Without the lack, which is for who knows the other pods.
Obstacles ObstaclesTo(const api::Pod& pod, const api::Node& node, const api::FeatureGates& gates);
// e.g. cordoned, team=a:NoSchedule, label zone=b is wanted
std::string TextOf(const Obstacles& obstacles, const api::Pod& pod);

// What would have to be done for the pod to be admitted there.
struct Admission {
  std::string text;               // e.g. uncordon node n1; empty: nothing can be
  std::optional<api::Pod> pod;    // as it is afterwards, where it changes
  std::optional<api::Node> node;  // likewise
};
// REQUIRES: there are obstacles.
Admission AdmissionOver(const Obstacles& obstacles, const api::Pod& pod, const api::Node& node);

// Whether one of them tolerates the taint. Lt and Gt count only with `comparisons`.
bool Tolerates(const api::List<api::Toleration>& tolerations, const api::Taint& taint,
               bool comparisons);
// Whether the pod tolerates all taints of the node that keep pods away: NoSchedule and NoExecute.
bool ToleratesTaintsOf(const api::Pod& pod, const api::Node& node, bool comparisons);
// Whether the pod's nodeSelector and its required node affinity let it run on the node.
bool Selects(const api::Pod& pod, const api::Node& node);

}  // namespace quadra::placement
