// LeaderElection: of several processes of one role, one works: who holds a Lease.
//
//   LeaderElection election(api, {.name = "quadra-controller", .identity = HostAndUuid(random)},
//                           {.started = [&] { StartControllers(); }, .stopped = [] { Exit(); }});
//   election.Start();
//
// As client-go: the lease lasts 15 s, is renewed every 2 s, and is given up by us where it could not
// be renewed for 10 s, whatever requests are still under way; who wants it tries every 2 s or a
// little later. Unlike client-go we also stop at once when we see that another holds it. Times are
// differences of our own steady clock: a lease is taken over only after it has not changed for its
// duration as we saw it, so neither skewed nor jumping clocks make two leaders.
// Once it has stopped it is over: who wants to lead again makes another one.
// Threads: the loop's.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/random.h"
#include "client/api.h"

namespace quadra::client {

// What tells processes apart: the machine's name and a UUID, host_0f3c….
std::string HostAndUuid(Random& random);

struct LeaderElectionOptions {
  std::string ns = "kube-system";
  std::string name;
  std::string identity;  // unlike that of any other process
  std::chrono::milliseconds lease_duration = std::chrono::seconds(15);
  std::chrono::milliseconds renew_deadline = std::chrono::seconds(10);
  std::chrono::milliseconds retry_period = std::chrono::seconds(2);
};

// Called on the loop; may drop the election.
struct LeaderCalls {
  std::function<void()> started;
  // We lead no longer; called once after started, also by Release.
  std::function<void()> stopped;
  // Somebody else is seen to lead, or ourselves; empty: nobody.
  std::function<void(const std::string& identity)> new_leader = [](const std::string&) {};
};

class LeaderElection {
 public:
  // `api` must outlive it. REQUIRES: retry_period < renew_deadline < lease_duration.
  LeaderElection(Api& api, LeaderElectionOptions options, LeaderCalls calls);
  // Does not give the lease up.
  ~LeaderElection();
  LeaderElection(const LeaderElection&) = delete;
  LeaderElection& operator=(const LeaderElection&) = delete;

  void Start();
  bool leads() const;
  // Stops, and gives the lease up so that the next need not wait; `done` when that was answered, or
  // cannot be within the renew deadline.
  void Release(std::function<void()> done);

 private:
  struct Parts;
  const std::shared_ptr<Parts> parts_;
};

}  // namespace quadra::client
