// Meters: what the scheduler counts of itself, under kube-scheduler's names.
//
// Threads: the loop's; what they count is printed by any thread.
#pragma once

#include <chrono>
#include <string_view>

#include "metrics/registry.h"
#include "scheduler/attempt.h"
#include "scheduler/queue/queue.h"

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
  // Room was looked for, whether or not there was some.
  void CountPreemptionAttempt() const { preemption_attempts_.Add(); }
  void CountPreemption(const PreemptionPlan& plan) const;
  void CountIncoming(std::string_view queue, std::string_view event) const;
  // As they are now.
  void ShowDepths(const QueueDepths& depths) const;

 private:
  metrics::Family<metrics::Counter>& attempts_;
  metrics::Family<metrics::Histogram>& attempt_seconds_;
  metrics::Family<metrics::Histogram>& waiting_seconds_;
  metrics::Histogram& attempts_of_pods_;
  metrics::Histogram& algorithm_seconds_;
  metrics::Histogram& victims_;
  metrics::Counter& after_flush_;
  metrics::Counter& preemption_attempts_;
  metrics::Family<metrics::Counter>& incoming_;
  metrics::Family<metrics::Gauge>& pending_;
};

}  // namespace quadra::scheduler
