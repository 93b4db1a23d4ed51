// Queue: the pods that wait to be scheduled. The highest of those that may be tried comes first; those
// that were refused wait until something happens that a plugin which refused them thinks may help.
//
//   Queue queue(loop, {QueueRules::Of(profile)}, {.ready = [&] { ScheduleNext(); }});
//   queue.Add(pod);
//   while (std::optional<QueuedPod> next = queue.Pop()) {
//     …  queue.AddUnschedulable(*std::move(next), {.unschedulable = {"NodeResourcesFit"}});
//     …  or queue.Done(next->pod->uid()) once it is bound, or gone
//   }
//   queue.Move({.event = {EventResource::kNode, action::kAdd}, .node_now = node});
//
// Promises, all as upstream's:
// - A pod that was added is in one place until it is removed: active, backoff, unschedulable (gated
//   or not), or in flight from Pop() to Done() or AddUnschedulable().
// - What happens while a pod is in flight counts when it comes back, as does its newest version.
// - Backoff is 1 s, doubled by each refusal up to 10 s, counted apart for errors, in windows of whole
//   seconds; within one window the order is that of priority. With nothing active Pop() takes who is
//   in backoff (not after errors), the nearest to its end first.
// - Who waited five minutes unschedulable is tried again.
//
// Threads: the loop. Timers run only while somebody waits for them. Cost: O(log n) a pod; an event
// asks only pods that were refused by plugins which registered for it.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "loop/event_loop.h"
#include "scheduler/queue/happening.h"
#include "scheduler/queue/in_flight.h"
#include "scheduler/queue/nominator.h"
#include "scheduler/queue/queue_rules.h"
#include "scheduler/queue/queued_pod.h"

namespace quadra::scheduler {

struct QueueOptions {
  std::chrono::microseconds initial_backoff = std::chrono::seconds(1);
  std::chrono::microseconds max_backoff = std::chrono::seconds(10);  // zero: no backoff
  std::chrono::microseconds longest_unschedulable = std::chrono::minutes(5);
  bool pop_from_backoff = true;  // SchedulerPopFromBackoffQ
  // Pop() may have something that it had not before.
  std::function<void()> ready = [] {};
  // A pod came into a queue (active, backoff, unschedulable) because of an event.
  std::function<void(std::string_view queue, std::string_view event)> incoming =
      [](std::string_view /*queue*/, std::string_view /*event*/) {};
};

enum class QueuePlace : std::uint8_t { kActive, kBackoff, kUnschedulable, kGated, kInFlight };

struct QueueDepths {
  std::size_t active = 0;
  std::size_t backoff = 0;
  std::size_t unschedulable = 0;  // without gated ones
  std::size_t gated = 0;
  std::size_t in_flight = 0;
  friend bool operator==(const QueueDepths&, const QueueDepths&) = default;
};

class Queue {
 public:
  // Rules: one for each scheduler name. What is in `rules` and `loop` must outlive it.
  Queue(loop::EventLoop& loop, std::vector<QueueRules> rules, QueueOptions options = {});
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // --- The pod itself, as informers tell of it.
  void Add(const PodInfoPtr& pod);
  // A pod that is not known is added.
  void Update(const PodInfoPtr& before, const PodInfoPtr& now);
  void Remove(const PodInfo& pod);

  // --- The cycle.
  // The pod is in flight from here on.
  std::optional<QueuedPod> Pop();
  // Back after a failed attempt; it is in flight no more. One that was removed meanwhile is dropped.
  void AddUnschedulable(QueuedPod pod, Rejection rejection);
  // It was bound, or is not ours any more.
  void Done(const std::string& uid);

  // --- What happens.
  // `concerns` may leave pods out without asking plugins; null: all.
  void Move(const Happening& happening,
            const std::function<bool(const PodInfo& pod)>& concerns = nullptr);
  // Makes them active, unless they are gated; who is in flight, when it comes back.
  void Activate(std::span<const PodInfoPtr> pods);
  // Makes all active that are not gated, whatever they wait for.
  void WakeAll();

  // --- Nominations; of pods that wait or are in flight alone.
  void AddNominated(const PodInfoPtr& pod, const std::optional<std::string>& node = {});
  void UpdateNominated(const PodInfo& before, const PodInfoPtr& now);
  void DeleteNominated(const PodInfo& pod);
  std::vector<PodInfoPtr> Nominated(std::string_view node) const { return nominator_.On(node); }
  const Nominator& nominator() const { return nominator_; }

  // --- For people, metrics and tests.
  QueueDepths depths() const;
  // Absent where the pod is not here.
  std::optional<QueuePlace> PlaceOf(const std::string& uid) const;
  // As it waits; null where it does not, or is in flight.
  const QueuedPod* Find(const std::string& uid) const;
  // All that wait, in the order in which they came; not those in flight.
  std::vector<const QueuedPod*> Waiting() const;
  // Pods that wait and were refused by the plugin: scheduler_unschedulable_pods{plugin}.
  std::size_t RejectedBy(std::string_view plugin) const;
  std::uint64_t cycles() const { return cycles_; }

 private:
  enum class Place : std::uint8_t { kNone, kActive, kBackoff, kErrorBackoff, kUnschedulable };
  struct Entry {
    QueuedPod pod;
    Place place = Place::kNone;
    std::uint64_t order = 0;  // in which they were added
    Time due;                 // of the place's timer
  };
  struct ByPriority {
    bool operator()(const Entry* one, const Entry* other) const;
  };
  struct ByDue {
    bool operator()(const Entry* one, const Entry* other) const;
  };
  struct ByDueThenPriority {
    bool operator()(const Entry* one, const Entry* other) const;
  };
  struct ByOrder {
    bool operator()(const Entry* one, const Entry* other) const {
      return one->order < other->order;
    }
  };

  const QueueRules* RulesOf(const PodInfo& pod) const;
  bool Knows(const std::string& uid) const;
  Entry* FindEntry(const std::string& uid) const;
  Entry& Make(QueuedPod pod);
  void Drop(Entry& entry);
  void Replace(Entry& entry, const PodInfoPtr& now);

  // Out of its place and into another, with the timer of that.
  void Detach(Entry& entry);
  void Attach(Entry& entry, Place place);
  void Enter(Entry& entry, Place place, std::string_view event);
  void Index(Entry& entry, bool present);
  void CountRejections(const QueuedPod& pod, int by);

  void RunPreEnqueue(QueuedPod& pod);
  bool MoveToActive(Entry& entry, std::string_view event, bool from_backoff);
  bool MoveToBackoff(Entry& entry, std::string_view event);
  bool StaysGated(Entry& entry, std::string_view event);
  // Whether Pop() may find it now.
  bool Requeue(Entry& entry, Wake wake, std::string_view event);
  void UpdateUnschedulable(Entry& entry, const PodInfoPtr& before, const PodInfoPtr& now);
  Wake WakeOf(const QueuedPod& pod, const Happening& happening) const;
  Wake WakeByWhatHappened(const QueuedPod& pod) const;
  bool IsConcerned(const Entry& entry, const Happening& happening) const;
  std::vector<Entry*> RefusedByAny(const ClusterEvent& event) const;
  bool MoveThese(const std::vector<Entry*>& entries, const Happening& happening);

  // Absent: it does not back off.
  std::optional<Time> BackoffExpiry(QueuedPod& pod) const;
  bool IsBackingOff(QueuedPod& pod) const;
  Time Window(Time time) const;
  std::chrono::microseconds BackoffAfter(int count) const;
  void FlushBackoff();
  void FlushUnschedulable();
  void Arm();
  void OnTimer(Time due);

  loop::EventLoop& loop_;
  const std::vector<QueueRules> rules_;
  const QueueOptions options_;
  absl::flat_hash_map<std::string, std::unique_ptr<Entry>> entries_;  // by uid
  std::set<Entry*, ByPriority> active_;
  std::set<Entry*, ByDueThenPriority> backoff_;
  std::set<Entry*, ByDue> error_backoff_;
  std::set<Entry*, ByDue> unschedulable_;
  std::size_t gated_ = 0;
  // Of unschedulable_, by the plugins that refused them; under the empty name those that any event wakes.
  absl::flat_hash_map<std::string_view, std::set<Entry*, ByOrder>> refused_by_;
  absl::flat_hash_map<std::string_view, std::size_t> rejections_;  // of all entries_
  InFlight in_flight_;
  Nominator nominator_;
  std::uint64_t orders_ = 0;
  std::uint64_t cycles_ = 0;
  Time next_timer_ = Time::max();
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace quadra::scheduler
