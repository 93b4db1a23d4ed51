// InFlight: pods that are being scheduled or bound, and what happened meanwhile.
//
//   in_flight.Begin(pod);  in_flight.Tell(happening);
//   for (const Happening* each : in_flight.Since(uid)) …
//   in_flight.End(uid);
//
// An event is kept once, and until every pod that was in flight with it has ended.
// Threads: the scheduler's loop. Cost: Since walks over what happened since the pod began.
#pragma once

#include <list>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "scheduler/queue/happening.h"

namespace quadra::scheduler {

class InFlight {
 public:
  // False where it is in flight already.
  bool Begin(const PodInfoPtr& pod);
  // Also of one that is not in flight.
  void End(const std::string& uid);
  bool Has(const std::string& uid) const { return pods_.contains(uid); }
  std::size_t size() const { return pods_.size(); }
  std::size_t events() const { return entries_.size() - pods_.size(); }

  // Kept if any pod is in flight.
  void Tell(const Happening& happening);
  // The pod's newest version. REQUIRES: it is in flight.
  void Renew(const std::string& uid, PodInfoPtr now);
  const PodInfoPtr& Newest(const std::string& uid) const;
  // The pod does not wait any more; until Renew. No matter if it is not in flight.
  void Forget(const std::string& uid);
  bool IsForgotten(const std::string& uid) const;
  // What happened since it began. REQUIRES: it is in flight.
  std::vector<const Happening*> Since(const std::string& uid) const;

 private:
  using Entries = std::list<std::optional<Happening>>;  // absent: here a pod began
  struct Flight {
    Entries::iterator begun;
    PodInfoPtr newest;
    bool forgotten = false;
  };

  Entries entries_;
  absl::flat_hash_map<std::string, Flight> pods_;  // by uid
};

}  // namespace quadra::scheduler
