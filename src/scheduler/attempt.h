// Attempt: one try to place one pod: what it began with, what was decided, what came of it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "scheduler/choice.h"
#include "scheduler/framework/cycle_state.h"
#include "scheduler/framework/pod_info.h"
#include "scheduler/framework/preemption_plan.h"
#include "scheduler/framework/profile.h"
#include "scheduler/queue/queue.h"

namespace quadra::scheduler {

struct Attempt {
  QueuedPod queued;
  Profile* profile = nullptr;
  Time began;
  CycleState state;
  Choice choice;
  std::uint64_t evaluations = 0;       // of selectors, to choose
  std::optional<PreemptionPlan> plan;  // whom it will preempt
  std::string node;                    // where it goes; empty: nowhere
  PodInfoPtr assumed;                  // the pod as it is on that node

  const PodInfo& pod() const { return *queued.pod; }
};

}  // namespace quadra::scheduler
