// Report: everything that waits in a cluster, placed; by fit.h, how many more would fit; by
// like_pods.h, why each of many pods waits. A door of this folder.
//
//   placement::Placer placer(cluster, {}, expressions);
//   const Report report = PlaceAll(placer, cluster, false, [] {});
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "diagnosis/fit.h"
#include "diagnosis/like_pods.h"
#include "placement/cluster.h"
#include "placement/place.h"

namespace quadra::diagnosis {

struct Report {
  std::vector<placement::Decision> decisions;
  placement::PodQueue pods;          // how many were passed over, and why
  bool has_pods = false;             // otherwise claims stand by themselves
  std::size_t claims_allocated = 0;  // claims that have their devices already
  std::size_t claims_deleting = 0;
  std::size_t claims_unused = 0;  // wait, but no pod that is not over uses them
  bool nodes_are_derived = false;
  bool lacks_claims = false;  // see Placer::lacks_claims
  // See Placer::remarks; and which pods others place, or were not counted.
  std::set<std::string> remarks;
};

// Without pods each claim that waits stands by itself, in the order in which they came; `together`:
// all as those of one pod. Pods that wait for a node alone are placed in their turn where only one
// takes them, so that what comes after them sees what they take. `step` is called after each
// decision.
Report PlaceAll(placement::Placer& placer, const placement::Cluster& cluster, bool together,
                const std::function<void()>& step);

}  // namespace quadra::diagnosis
