// Actors: users, a scheduler, kubelets and a garbage collector of a World, each of whom does one
// thing at a time, at once and without a mistake; and what must hold whatever they do.
//
//   Actors actors(world);
//   actors.Act();                                  // one of them does something
//   EXPECT_EQ(actors.FindWrong(), "");             // after every step
//   actors.End(); … EXPECT_EQ(actors.FindLeft(), "");
//
// Pods want claims from a template, shared claims, or both; there are more of them than devices.
// Threads: the caller's.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "simulation/world.h"

namespace quadra::simulation {

class Actors {
 public:
  explicit Actors(World& world);

  void Act();
  // Whoever runs ends, all pods are deleted and go.
  void End();
  // Deletes claims whose pod is gone, as a garbage collector would.
  void Collect();

  // What must never be: a pod that runs and has lost a claim; a claim that belongs to a pod that
  // never wanted one. Empty: nothing is wrong. Cheap where nobody has written since the last time.
  std::string FindWrong();
  // What must not be left when all pods are gone and time has passed.
  std::string FindLeft();

  std::uint64_t started() const { return started_; }  // pods that ran

 private:
  using Pods = std::vector<json::Value>;

  void CreatePod();
  void DeletePod(bool force);
  void ToggleSharedClaim();
  void Reserve();
  void Bind();
  void Start();
  void Finish();
  void Remove();

  // A pod that `fits` is true of, drawn; null where there is none.
  template <typename Fits>
  const json::Value* DrawPod(const Pods& pods, Fits fits);
  bool ReserveClaim(const std::string& name, const json::Value& pod);
  std::string FreeDevice();
  bool PatchClaim(json::Value& claim, const std::string& patch, const std::string& subresource);

  World& world_;
  std::uint64_t seen_writes_ = 0;
  std::uint64_t started_ = 0;
  std::map<std::string, std::string> reserved_;  // pods by name that may be bound, with their uids
  std::map<std::string, std::map<std::string, std::string>> running_;  // claims with uids, by pod
  std::set<std::string> wanted_;  // uids of pods that have a template
};

}  // namespace quadra::simulation
