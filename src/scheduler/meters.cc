#include "scheduler/meters.h"

#include <array>
#include <string>

namespace quadra::scheduler {
namespace {

// Each bound is twice the one before.
constexpr std::array kShortSeconds = {0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128,
                                      0.256, 0.512, 1.024, 2.048, 4.096, 8.192, 16.384};
constexpr std::array kLongSeconds = {0.01,   0.02,   0.04,   0.08,    0.16,    0.32,   0.64,
                                     1.28,   2.56,   5.12,   10.24,   20.48,   40.96,  81.92,
                                     163.84, 327.68, 655.36, 1310.72, 2621.44, 5242.88};
constexpr std::array kAttempts = {1.0, 2.0, 4.0, 8.0, 16.0};
constexpr std::array kVictims = {1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0};
constexpr int kManyAttempts = 15;

double SecondsIn(Meters::Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::string AttemptsLabel(int attempts) {
  return attempts >= kManyAttempts ? std::to_string(kManyAttempts) + "+" : std::to_string(attempts);
}

}  // namespace

Meters::Meters(metrics::Registry& registry)
    : attempts_(registry.Counters({.name = "scheduler_schedule_attempts_total",
                                   .help = "How many attempts there were to place pods.",
                                   .labels = {"profile", "result"}})),
      attempt_seconds_(
          registry.Histograms({.name = "scheduler_scheduling_attempt_duration_seconds",
                               .help = "Seconds from the beginning of an attempt to its end.",
                               .labels = {"profile", "result"},
                               .bounds = kShortSeconds})),
      waiting_seconds_(
          registry.Histograms({.name = "scheduler_pod_scheduling_sli_duration_seconds",
                               .help = "Seconds from a pod's first attempt to its binding.",
                               .labels = {"attempts"},
                               .bounds = kLongSeconds})),
      attempts_of_pods_(registry
                            .Histograms({.name = "scheduler_pod_scheduling_attempts",
                                         .help = "How many attempts it took to bind a pod.",
                                         .bounds = kAttempts})
                            .With({})),
      algorithm_seconds_(registry
                             .Histograms({.name = "scheduler_scheduling_algorithm_duration_seconds",
                                          .help = "Seconds that choosing a node took.",
                                          .bounds = kShortSeconds})
                             .With({})),
      victims_(registry
                   .Histograms({.name = "scheduler_preemption_victims",
                                .help = "How many pods a preemption ended.",
                                .bounds = kVictims})
                   .With({})),
      after_flush_(registry
                       .Counters({.name = "scheduler_pod_scheduled_after_flush_total",
                                  .help = "How many pods were placed after no event woke them, but "
                                          "that they had waited for too long: there should be "
                                          "none."})
                       .With({})),
      preemption_attempts_(
          registry
              .Counters({.name = "scheduler_preemption_attempts_total",
                         .help = "How often room was looked for, for pods that fit nowhere."})
              .With({})),
      incoming_(registry.Counters({.name = "scheduler_queue_incoming_pods_total",
                                   .help = "How many pods came into which queue, and why.",
                                   .labels = {"event", "queue"}})),
      pending_(registry.Gauges({.name = "scheduler_pending_pods",
                                .help = "How many pods wait: to be tried next (active), until they "
                                        "may be tried again (backoff), for what may help them "
                                        "(unschedulable), for their gates (gated).",
                                .labels = {"queue"}})) {
  ShowDepths({});
}

void Meters::CountAlgorithm(Duration took) const { algorithm_seconds_.Observe(SecondsIn(took)); }

void Meters::CountScheduled(const Attempt& attempt, Duration cycle, Time now) const {
  const std::string& profile = attempt.profile->name();
  attempts_.With({profile, "scheduled"}).Add();
  attempt_seconds_.With({profile, "scheduled"}).Observe(SecondsIn(cycle));
  attempts_of_pods_.Observe(attempt.queued.attempts);
  if (attempt.queued.was_flushed) {
    after_flush_.Add();
  }
  waiting_seconds_.With({AttemptsLabel(attempt.queued.attempts)})
      .Observe(SecondsIn(now - attempt.queued.initial_attempt.value_or(attempt.began)));
}

void Meters::CountFailure(const Attempt& attempt, const Status& status, Duration cycle) const {
  const std::string& profile = attempt.profile->name();
  const std::string_view result = status.IsRejected() ? "unschedulable" : "error";
  attempts_.With({profile, result}).Add();
  attempt_seconds_.With({profile, result}).Observe(SecondsIn(cycle));
}

void Meters::CountIncoming(std::string_view queue, std::string_view event) const {
  incoming_.With({event, queue}).Add();
}

void Meters::ShowDepths(const QueueDepths& depths) const {
  for (const auto& [queue, depth] :
       {std::pair("active", depths.active), std::pair("backoff", depths.backoff),
        std::pair("unschedulable", depths.unschedulable), std::pair("gated", depths.gated)}) {
    pending_.With({queue}).Set(static_cast<std::int64_t>(depth));
  }
}

void Meters::CountPreemption(const PreemptionPlan& plan) const {
  victims_.Observe(static_cast<double>(plan.victims.size()));
}

}  // namespace quadra::scheduler
