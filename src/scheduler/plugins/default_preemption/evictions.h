// Evictions: ends the victims of a preemption, after the cycle that chose them.
//
//   evictions.Start({.preemptor = pod, .node = "n1", .victims = victims});
//   if (evictions.AreUnderWay(*pod)) …        // it is not to be tried yet
//
// As upstream: pods of lower priority that are nominated to the node lose that first; then each
// victim is marked with the condition DisruptionTarget and deleted, all at once but the last. A victim
// that is deleted already is left to it; one whose node is not written yet goes back into the queue.
// If something fails, the preemptor is tried again at once.
//
// Threads: the loop's. Cost: two requests a victim.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loop/task.h"
#include "scheduler/framework/handle.h"

namespace quadra::scheduler {

struct Eviction {
  PodInfoPtr preemptor;
  std::string node;
  std::vector<PodInfoPtr> victims;
  std::vector<std::string> frees;  // by victim, what its end frees, for its event; may be empty
};

class Evictions {
 public:
  // REQUIRES: the handle has `api` and `surroundings`; it must outlive this.
  explicit Evictions(const Handle& handle) : handle_(handle) {}
  Evictions(const Evictions&) = delete;
  Evictions& operator=(const Evictions&) = delete;

  void Start(Eviction eviction);
  // Until the last victim goes, or something fails.
  bool AreUnderWay(const PodInfo& preemptor) const;

 private:
  using EvictionPtr = std::shared_ptr<const Eviction>;
  enum class Outcome : std::uint8_t {
    kDeleted,  // an event tells when it is gone
    kGone,     // it was gone before, or is taken back: no event need come
    kFailed,
  };

  loop::Task<void> EvictAll(EvictionPtr eviction);
  // Of all but the last, which go at once.
  loop::Task<Status> EvictFirst(EvictionPtr eviction, std::size_t place);
  loop::Task<Outcome> Evict(EvictionPtr eviction, std::size_t place);
  loop::Task<client::Answer<std::string>> MarkAndDelete(PodInfoPtr victim, std::string scheduler);
  // Whether all went well.
  loop::Task<bool> ClearNominations(EvictionPtr eviction);
  void Tell(const Eviction& eviction, std::size_t place, bool taken_back);

  const Handle& handle_;
  // By uid of the preemptor: the last victim, once it alone is left; null before.
  std::map<std::string, PodInfoPtr> runs_;
};

}  // namespace quadra::scheduler
