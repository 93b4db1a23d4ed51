// Placing: users, kubelets and drivers of a World in which schedulers give pods nodes and devices;
// and what must hold whatever those do.
//
//   Placing placing(world, {"one", "two"});        // pods name one of these schedulers
//   placing.Act();                                 // one of them does something
//   EXPECT_EQ(placing.FindWrong(), "");            // after every step
//   placing.LetAllEnd(); … EXPECT_EQ(placing.FindLeft(), "");
//
// Three nodes with two devices each, two devices that any node may use, a device with partitions that
// draw on one counter, one that is shared by its bandwidth: less than is wanted. Every pod fits by
// itself, so that all of them run in the end.
// Threads: the caller's.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "json/value.h"
#include "simulation/world.h"

namespace quadra::simulation {

class Placing {
 public:
  Placing(World& world, std::vector<std::string> schedulers);

  void Act();
  // No more pods; those that there are start and end, one round of all.
  void LetAllEnd();

  // What must never be: two pods that are bound and hold one device, a counter or a capacity that is
  // exceeded, a pod that is bound without its claims. Empty: nothing is wrong. Cheap where nobody has
  // written since the last time.
  std::string FindWrong();
  // Pods that never ran.
  std::string FindLeft();

  std::uint64_t started() const { return started_; }

 private:
  void CreateCluster();
  void CreatePod();
  void DeletePod();
  void ReportDevices();
  void TouchNode();
  void Start(const json::Value& pod);
  void Finish(const json::Value& pod);
  void Remove(const json::Value& pod);
  void Collect();
  // One that `fits` is true of, drawn.
  void WithPod(const std::function<bool(const json::Value&)>& fits,
               const std::function<void(const json::Value&)>& act);
  bool IsReady(const json::Value& pod);

  World& world_;
  const std::vector<std::string> schedulers_;
  std::uint64_t seen_writes_ = 0;
  std::uint64_t started_ = 0;
  std::uint64_t made_ = 0;
  std::set<std::string> running_;  // uids
};

}  // namespace quadra::simulation
