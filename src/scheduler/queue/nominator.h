// Nominator: pods that wait for a node which was promised to them: preemption makes room there.
//
//   nominator.Add(pod, "n1");  nominator.On("n1");  nominator.Delete(*pod);
//
// A pod is nominated to one node at most. In memory this may be ahead of the pod's status.
// Threads: the scheduler's loop. Cost: a look-up; Delete looks through the pods of one node.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "scheduler/framework/pod_info.h"

namespace quadra::scheduler {

class Nominator {
 public:
  // `node`: to there, empty: to none; absent: to where its status says. A pod that is on a node is
  // nominated to none.
  void Add(const PodInfoPtr& pod, const std::optional<std::string>& node = {});
  // Keeps what is in memory while neither status says anything: the nomination has not been written yet.
  void Update(const PodInfo& before, const PodInfoPtr& now);
  void Delete(const PodInfo& pod);

  // In the order in which they were nominated.
  std::vector<PodInfoPtr> On(std::string_view node) const;
  // Where the pod is nominated to; empty: nowhere.
  std::string_view NodeOf(const PodInfo& pod) const;

 private:
  absl::flat_hash_map<std::string, std::vector<PodInfoPtr>> by_node_;
  absl::flat_hash_map<std::string, std::string> node_of_;  // by uid
};

}  // namespace quadra::scheduler
