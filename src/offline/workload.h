// Workload: Deployments, ReplicaSets, StatefulSets and Jobs as sources of pods.
//
// A manifest that no server has stored yet has no pods; those that its controller would make are
// what its author wants to know about. A stored one has its pods beside it, so it makes none here.
// Pure functions. A door of this folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "base/result.h"

namespace quadra::offline {

inline constexpr std::size_t kMostReplicas = 1000;

bool IsWorkload(std::string_view api_version, std::string_view kind);

// The pods as JSON, named NAME-0, NAME-1 and so on, in the workload's namespace; at most
// kMostReplicas. None where it is stored, wants none or has no template. REQUIRES: valid JSON.
std::vector<std::string> PodsOf(std::string_view workload);

// What its pods are like, under the workload's own name, stored or not. Fails where it has no
// template, or one that cannot be read. REQUIRES: valid JSON.
Result<api::Pod> ModelOf(std::string_view workload);

}  // namespace quadra::offline
