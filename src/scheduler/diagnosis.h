// Diagnosis: why no node took a pod, in upstream's words, and who said so.
//
//   TextOf(diagnosis)   // 0/8 nodes are available: 3 Insufficient cpu, 5 cannot allocate all claims. …
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "api/kinds.h"
#include "scheduler/framework/plugin.h"

namespace quadra::scheduler {

struct Diagnosis {
  std::size_t nodes = 0;  // of the cluster
  NodeStatuses statuses;
  std::set<std::string_view> unschedulable;  // plugins that said no
  std::set<std::string_view> pending;        // plugins that wait for something
  std::string pre_filter;                    // what a PreFilter said that no node could change
  std::string post_filter;

  // Remembers which plugin it came from.
  void Blame(const Status& status);
};

std::string TextOf(const Diagnosis& diagnosis);

// Our own account of it, to follow upstream's words: by our codes how many nodes, most first, and
// what to ask next.
//   [DevicesBusy on 5 nodes, SelectorMatchesNone on 3; next: quadra explain pod/train -n team-a]
std::string AccountOf(const Diagnosis& diagnosis, const api::Pod& pod);

}  // namespace quadra::scheduler
