// AttemptLog: what came of the last attempt on each pod, for `quadra explain` and who else asks why.
// Part of scheduler.h.
//
//   log.Put({.ns = "team-a", .pod = "train", .uid = uid, .result = "unschedulable", …});
//   if (const auto last = log.Find("team-a", "train")) std::cout << ToJson(*last);
//
// Keeps as many pods as it may, and forgets those longest untouched.
// Threads: any.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "scheduler/framework/preemption_plan.h"

namespace quadra::scheduler {

// Nodes that one plugin refused with the same words.
struct RefusedNodes {
  std::string plugin;
  std::string code;  // as upstream names it, e.g. UnschedulableAndUnresolvable
  std::string reason;
  std::string why;  // our own code, where the plugin has one, e.g. DevicesBusy
  std::size_t nodes = 0;
  std::string example;  // one of them
};

struct LastAttempt {
  std::string ns;
  std::string pod;
  std::string uid;
  std::string result;  // scheduled, waiting (to be bound), unschedulable or error
  std::string node;    // where it goes; empty: nowhere
  std::string nominated;
  std::string message;  // as the event says it
  int attempt = 0;
  Time at;
  std::chrono::microseconds took{0};
  std::size_t nodes = 0;  // of the cluster
  std::size_t evaluated = 0;
  std::size_t feasible = 0;
  std::vector<std::string> devices;   // that its claims have, or get there: driver/pool/device
  std::uint64_t evaluations = 0;      // of selectors
  std::uint64_t steps = 0;            // of the searches for devices
  std::vector<RefusedNodes> refused;  // most nodes first
  // Whom it preempts, by this attempt or, while they go, by an earlier one.
  std::optional<PreemptionPlan> preemption;
};

class AttemptLog {
 public:
  static constexpr std::size_t kPods = 20'000;
  explicit AttemptLog(std::size_t pods = kPods) : most_(pods) {}

  void Put(LastAttempt attempt);
  // A pod that is gone; another of its name stays.
  void Remove(std::string_view ns, std::string_view pod, std::string_view uid);
  std::optional<LastAttempt> Find(std::string_view ns, std::string_view pod) const;

 private:
  using Attempts = std::list<LastAttempt>;  // oldest first

  const std::size_t most_;
  mutable Mutex mutex_;
  Attempts attempts_ QUADRA_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, Attempts::iterator> by_name_ QUADRA_GUARDED_BY(mutex_);
};

// One object, indented.
std::string ToJson(const LastAttempt& attempt);

}  // namespace quadra::scheduler
