// NodeFilter: whether a pod may run on a node at all, as far as the pod and the node say so.
//
// The scheduler's plugins NodeUnschedulable, NodeName, TaintToleration and NodeAffinity, in that
// order and in their words. What needs other pods (cpu, memory, ports, affinity between pods) is
// not looked at.
#pragma once

#include <string_view>

#include "api/kinds.h"
#include "validation/validate.h"

namespace quadra::placement {

// Why the pod may not run there; empty where it may.
std::string_view WhyNodeRejects(const api::Pod& pod, const api::Node& node,
                                const api::FeatureGates& gates);

// Whether one of them tolerates the taint. Lt and Gt count only with `comparisons`.
bool Tolerates(const api::List<api::Toleration>& tolerations, const api::Taint& taint,
               bool comparisons);

}  // namespace quadra::placement
