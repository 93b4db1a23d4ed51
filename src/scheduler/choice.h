// Choice: which node a pod goes to: filter, score, pick. Decides only; writes nothing.
//
//   NodeChooser chooser({.percentage = 0, .random = random});
//   const Choice choice = chooser.Choose(profile, snapshot, state, pod);
//   if (choice.node != nullptr) … else if (choice.error.ok()) … choice.diagnosis …
//
// As upstream: the search begins where the last one ended and stops when enough nodes fit; of nodes
// with the highest score one is picked by chance, by `strict` = false as well.
// Threads: the scheduler's loop. Cost: the filters on the nodes searched, the scores on those that fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "scheduler/diagnosis.h"
#include "scheduler/framework/profile.h"
#include "scheduler/framework/snapshot.h"

namespace quadra::scheduler {

struct Choice {
  const NodeInfo* node = nullptr;  // null: none, and the two below say why
  Status error;                    // something broke; ok: no node took the pod
  Diagnosis diagnosis;
  std::size_t evaluated = 0;
  std::size_t feasible = 0;
};

// How many nodes that fit are enough, of so many; 0 percent: fewer, the more there are.
std::size_t EnoughNodes(std::size_t all, std::int32_t percentage);

class NodeChooser {
 public:
  struct Options {
    std::int32_t percentage = 0;  // percentageOfNodesToScore
    Random& random;
  };
  explicit NodeChooser(const Options& options) : options_(options) {}

  Choice Choose(Profile& profile, const Snapshot& snapshot, CycleState& state, const PodInfo& pod);

 private:
  using Nodes = std::vector<const NodeInfo*>;

  // The nodes that pass, in the order of visiting; fills the rest of `choice`.
  Nodes Filter(Profile& profile, std::span<const NodeInfo* const> nodes, CycleState& state,
               const PodInfo& pod, Choice& choice);
  Nodes FindFeasible(Profile& profile, const Snapshot& snapshot, CycleState& state,
                     const PodInfo& pod, Choice& choice);
  const NodeInfo* PickBest(const Profile& profile, const Nodes& feasible, CycleState& state,
                           const PodInfo& pod, Choice& choice);

  const Options options_;
  std::size_t next_start_ = 0;
};

}  // namespace quadra::scheduler
