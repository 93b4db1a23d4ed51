// LikePods: the diagnoses of many pods, where those that are alike but for their names share one.
//
// Of a thousand replicas that wait, each waits for the same reason; asking every node again for
// each of them, and trying every fix, would only tell so a thousand times.
//
//   LikePods pods(placer, 5);
//   for (const api::Pod& pod : …) const Diagnosis diagnosis = pods.Diagnose(pod);
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "api/kinds.h"
#include "diagnosis/diagnose.h"
#include "placement/place.h"

namespace quadra::diagnosis {

// Not thread-safe. Cost: a DiagnosePod for each sort of pod, a look-up for the others; memory: a
// diagnosis a sort.
class LikePods {
 public:
  // `placer` must outlive this, and nothing may be placed meanwhile. Of the nodes `most_nodes` that
  // come nearest are kept in each diagnosis; the others are counted.
  LikePods(placement::Placer& placer, std::size_t most_nodes)
      : placer_(placer), most_nodes_(most_nodes) {}

  // What DiagnosePod says. Its effort is that of the first of its sort.
  Diagnosis Diagnose(const api::Pod& pod);

 private:
  struct Known {
    api::Pod pod;  // without what only names it
    std::vector<api::ResourceClaim> claims;
    Diagnosis diagnosis;
  };
  Diagnosis DiagnoseAlone(const api::Pod& pod) const;
  // As if asked about `pod` with its claims.
  Diagnosis Renamed(const Known& known, const api::Pod& pod,
                    const std::vector<api::ResourceClaim>& claims);

  placement::Placer& placer_;
  std::size_t most_nodes_;
  std::map<std::string, std::vector<Known>> known_;  // by what the claims want
};

}  // namespace quadra::diagnosis
