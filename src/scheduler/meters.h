// Meters: what the scheduler counts of itself, under kube-scheduler's names.
//
// Threads: the loop's; what they count is printed by any thread.
#pragma once

#include <chrono>
#include <string_view>

#include "metrics/registry.h"
#include "scheduler/attempt.h"

namespace quadra::scheduler {

class Meters {
 public:
  using Duration = std::chrono::microseconds;

  explicit Meters(metrics::Registry& registry);

  // Of choosing a node, whatever came of it.
  void CountAlgorithm(Duration took) const;
  // `cycle`: from the beginning of the attempt to the binding.
  void CountScheduled(const Attempt& attempt, Duration cycle, Time now) const;
  void CountFailure(const Attempt& attempt, const Status& status, Duration cycle) const;
  void CountPreemption(const PreemptionPlan& plan) const;

 private:
  metrics::Family<metrics::Counter>& attempts_;
  metrics::Family<metrics::Histogram>& attempt_seconds_;
  metrics::Family<metrics::Histogram>& waiting_seconds_;
  metrics::Histogram& attempts_of_pods_;
  metrics::Histogram& algorithm_seconds_;
  metrics::Histogram& victims_;
  metrics::Counter& after_flush_;
};

}  // namespace quadra::scheduler
