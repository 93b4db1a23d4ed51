// QueuedPod: a pod that waits to be scheduled, with what became of it so far. Pure data.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

#include "base/clock.h"
#include "scheduler/framework/pod_info.h"

namespace quadra::scheduler {

// Who refused a pod. Empty: nobody did, something broke.
struct Rejection {
  std::set<std::string_view> unschedulable;  // plugins, whose names live for ever
  std::set<std::string_view> pending;        // that said kPending: no backoff once they hint

  bool empty() const { return unschedulable.empty() && pending.empty(); }
  bool Has(std::string_view plugin) const {
    return unschedulable.contains(plugin) || pending.contains(plugin);
  }
  friend bool operator==(const Rejection&, const Rejection&) = default;
};

struct QueuedPod {
  PodInfoPtr pod;
  Time timestamp;  // when it came into the queue, the last time
  int attempts = 0;
  std::optional<Time> initial_attempt;  // when it became active first
  // Of the last attempt, until the next one fails; with the plugin that gates it.
  Rejection rejection;
  std::string_view gated_by;  // the plugin whose PreEnqueue said no; empty: it may be looked at
  // When its backoff ends; absent where it is not known yet.
  std::optional<Time> backoff_expiry;
  int unschedulable_count = 0;
  int consecutive_errors = 0;
  // Woken because it waited for too long, not by an event; until its next attempt.
  bool was_flushed = false;
  std::optional<Time> flushed;

  bool IsGated() const { return !gated_by.empty(); }
};

// As PrioritySort: the higher priority first, then who came first.
inline bool SortsBefore(const QueuedPod& one, const QueuedPod& other) {
  return one.pod->priority != other.pod->priority ? one.pod->priority > other.pod->priority
                                                  : one.timestamp < other.timestamp;
}

}  // namespace quadra::scheduler
