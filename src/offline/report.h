// Report: everything that waits in a dump, placed. A door of this folder.
//
//   Placer placer(dump, {}, expressions);
//   const Report report = PlaceAll(placer, dump, false, [] {});
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "offline/dump.h"
#include "offline/place.h"
#include "offline/pods.h"

namespace quadra::offline {

struct Report {
  std::vector<Outcome> outcomes;
  PodQueue pods;                     // how many were passed over, and why
  bool has_pods = false;             // otherwise claims stand by themselves
  std::size_t claims_allocated = 0;  // claims that have their devices already
  std::size_t claims_deleting = 0;
  std::size_t claims_unused = 0;  // wait, but no pod that waits uses them
  bool nodes_are_derived = false;
  std::set<std::string> remarks;  // see Placer::remarks
};

// Without pods each claim that waits stands by itself, in the order of the dump; `together`: all as
// those of one pod. `step` is called after each outcome.
Report PlaceAll(Placer& placer, const Dump& dump, bool together, const std::function<void()>& step);

}  // namespace quadra::offline
