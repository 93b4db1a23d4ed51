// Where pods wait: into and out of the queues, and what the clock does to them.
#include <algorithm>
#include <utility>

#include "scheduler/queue/queue.h"

namespace quadra::scheduler {
namespace {

constexpr std::chrono::microseconds kWindow = std::chrono::seconds(1);
constexpr std::chrono::microseconds kTick{1};
constexpr std::string_view kBackoffComplete = "BackoffComplete";

std::string_view LabelOfQueue(QueuePlace place) {
  switch (place) {
    case QueuePlace::kActive:
      return "active";
    case QueuePlace::kBackoff:
      return "backoff";
    case QueuePlace::kUnschedulable:
    case QueuePlace::kGated:
    case QueuePlace::kInFlight:
      break;
  }
  return "unschedulable";
}

}  // namespace

bool Queue::ByPriority::operator()(const Entry* one, const Entry* other) const {
  if (SortsBefore(one->pod, other->pod) || SortsBefore(other->pod, one->pod)) {
    return SortsBefore(one->pod, other->pod);
  }
  return one->order < other->order;
}

bool Queue::ByDue::operator()(const Entry* one, const Entry* other) const {
  return one->due != other->due ? one->due < other->due : one->order < other->order;
}

bool Queue::ByDueThenPriority::operator()(const Entry* one, const Entry* other) const {
  return one->due != other->due ? one->due < other->due : ByPriority()(one, other);
}

void Queue::Detach(Entry& entry) {
  switch (std::exchange(entry.place, Place::kNone)) {
    case Place::kNone:
      return;
    case Place::kActive:
      active_.erase(&entry);
      return;
    case Place::kBackoff:
      backoff_.erase(&entry);
      return;
    case Place::kErrorBackoff:
      error_backoff_.erase(&entry);
      return;
    case Place::kUnschedulable:
      unschedulable_.erase(&entry);
      gated_ -= entry.pod.IsGated() ? 1 : 0;
      Index(entry, false);
      return;
  }
}

void Queue::Attach(Entry& entry, Place place) {
  entry.place = place;
  switch (place) {
    case Place::kNone:
      return;
    case Place::kActive:
      active_.insert(&entry);
      return;
    case Place::kBackoff:
    case Place::kErrorBackoff:
      // The first moment at which IsBackingOff() is false.
      entry.due = BackoffExpiry(entry.pod).value_or(loop_.Now()) +
                  (options_.pop_from_backoff ? kWindow : kTick);
      if (place == Place::kBackoff) {
        backoff_.insert(&entry);
      } else {
        error_backoff_.insert(&entry);
      }
      break;
    case Place::kUnschedulable:
      entry.due = std::max(entry.pod.timestamp, entry.pod.flushed.value_or(entry.pod.timestamp)) +
                  options_.longest_unschedulable + kTick;
      unschedulable_.insert(&entry);
      gated_ += entry.pod.IsGated() ? 1 : 0;
      Index(entry, true);
      break;
  }
  Arm();
}

void Queue::Enter(Entry& entry, Place place, std::string_view event) {
  const bool is_new = entry.place != place;
  Detach(entry);
  Attach(entry, place);
  if (is_new) {
    options_.incoming(LabelOfQueue(*PlaceOf(entry.pod.pod->uid())), event);
  }
}

void Queue::Index(Entry& entry, bool present) {
  const auto index = [&](std::string_view plugin) {
    if (present) {
      refused_by_[plugin].insert(&entry);
    } else {
      refused_by_[plugin].erase(&entry);
    }
  };
  const Rejection& rejection = entry.pod.rejection;
  if (rejection.empty() || RulesOf(*entry.pod.pod) == nullptr) {
    index({});
    return;
  }
  std::ranges::for_each(rejection.unschedulable, index);
  std::ranges::for_each(rejection.pending, index);
}

std::optional<Time> Queue::BackoffExpiry(QueuedPod& pod) const {
  const int count = pod.consecutive_errors > 0 ? pod.consecutive_errors : pod.unschedulable_count;
  if (options_.max_backoff.count() == 0 || count == 0) {
    return std::nullopt;
  }
  if (!pod.backoff_expiry) {
    pod.backoff_expiry = Window(pod.timestamp + BackoffAfter(count));
  }
  return pod.backoff_expiry;
}

bool Queue::IsBackingOff(QueuedPod& pod) const {
  const std::optional<Time> expiry = BackoffExpiry(pod);
  return expiry && *expiry >= Window(loop_.Now());
}

Time Queue::Window(Time time) const {
  return options_.pop_from_backoff ? Time(std::chrono::floor<std::chrono::seconds>(time)) : time;
}

std::chrono::microseconds Queue::BackoffAfter(int count) const {
  constexpr int kMostDoublings = 62;
  const int doublings = std::min(count - 1, kMostDoublings);
  const std::int64_t first = options_.initial_backoff.count();
  return first > (options_.max_backoff.count() >> doublings)
             ? options_.max_backoff
             : std::chrono::microseconds(first << doublings);
}

void Queue::FlushBackoff() {
  std::vector<Entry*> completed;
  const auto collect = [&](const auto& queue) {
    for (Entry* const entry : queue) {
      if (entry->due > loop_.Now()) {
        return;
      }
      completed.push_back(entry);
    }
  };
  collect(backoff_);
  collect(error_backoff_);
  bool ready = false;
  for (Entry* const entry : completed) {
    ready = MoveToActive(*entry, kBackoffComplete, true) || ready;
  }
  if (ready) {
    options_.ready();
  }
}

void Queue::FlushUnschedulable() {
  const Time now = loop_.Now();
  std::vector<Entry*> stale;
  for (Entry* const entry : unschedulable_) {
    if (entry->due > now) {
      break;
    }
    stale.push_back(entry);
  }
  for (Entry* const entry : stale) {
    entry->pod.was_flushed = true;
    entry->pod.flushed = now;
  }
  static constexpr ClusterEvent kTimeout{.label = "UnschedulableTimeout"};
  if (!stale.empty() && MoveThese(stale, {.event = kTimeout})) {
    options_.ready();
  }
}

void Queue::Arm() {
  Time next = next_timer_;
  const auto look = [&](const auto& queue) {
    next = queue.empty() ? next : std::min(next, (*queue.begin())->due);
  };
  look(backoff_);
  look(error_backoff_);
  look(unschedulable_);
  if (next == next_timer_) {
    return;
  }
  next_timer_ = next;
  const Time now = loop_.Now();
  loop_.PostAfter(next > now ? next - now : std::chrono::microseconds(0),
                  [this, next, alive = alive_] {
                    if (*alive) {
                      OnTimer(next);
                    }
                  });
}

void Queue::OnTimer(Time due) {
  if (due != next_timer_) {
    return;  // an earlier one was set after it, and has run
  }
  next_timer_ = Time::max();
  FlushBackoff();
  FlushUnschedulable();
  Arm();
}

}  // namespace quadra::scheduler
