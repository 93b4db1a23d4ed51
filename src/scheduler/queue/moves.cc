// Who moves when something happens.
#include <algorithm>
#include <utility>

#include "scheduler/queue/queue.h"

namespace quadra::scheduler {
namespace {

constexpr ClusterEvent kForceActivate{.label = "ForceActivate"};

bool IsWildCard(const ClusterEvent& event) {
  return event.resource == EventResource::kWildCard && event.actions == action::kAll;
}

bool HasObject(const EventObjects& objects) {
  return objects.pod_now != nullptr || objects.node_now != nullptr || objects.claim_now != nullptr;
}

}  // namespace

void Queue::Move(const Happening& happening,
                 const std::function<bool(const PodInfo& pod)>& concerns) {
  const ClusterEvent& event = happening.event;
  if (!IsWildCard(event) && std::ranges::none_of(rules_, [&](const QueueRules& each) {
        return each.IsOfInterest(event);
      })) {
    return;
  }
  std::vector<Entry*> entries = RefusedByAny(event);
  std::erase_if(entries,
                [&](const Entry* entry) { return concerns && !concerns(*entry->pod.pod); });
  if (MoveThese(entries, happening)) {
    options_.ready();
  }
}

void Queue::Activate(std::span<const PodInfoPtr> pods) {
  bool ready = false;
  for (const PodInfoPtr& pod : pods) {
    Entry* const entry = FindEntry(pod->uid());
    if (entry != nullptr && entry->place != Place::kActive) {
      const bool from_backoff = entry->place != Place::kUnschedulable;
      ready = MoveToActive(*entry, kForceActivate.label, from_backoff) || ready;
    } else if (in_flight_.Has(pod->uid())) {
      in_flight_.Tell({.event = kForceActivate, .pod_now = pod});
    }
  }
  if (ready) {
    options_.ready();
  }
}

void Queue::WakeAll() {
  std::vector<PodInfoPtr> pods;
  for (const QueuedPod* const each : Waiting()) {
    pods.push_back(each->pod);
  }
  in_flight_.Tell({.event = kForceActivate});
  Activate(pods);
}

void Queue::RunPreEnqueue(QueuedPod& pod) {
  const QueueRules* const rules = RulesOf(*pod.pod);
  pod.gated_by = rules == nullptr ? "" : rules->GatingPlugin(*pod.pod, pod.gated_by);
  if (pod.IsGated() && !pod.rejection.Has(pod.gated_by)) {
    pod.rejection.unschedulable.insert(pod.gated_by);
    ++rejections_[pod.gated_by];
  }
}

bool Queue::MoveToActive(Entry& entry, std::string_view event, bool from_backoff) {
  // Who comes from backoff was asked on the way in.
  const bool ask = !options_.pop_from_backoff || !from_backoff;
  if (ask && StaysGated(entry, event)) {
    return false;
  }
  if (!entry.pod.initial_attempt) {
    entry.pod.initial_attempt = loop_.Now();
  }
  Enter(entry, Place::kActive, event);
  return true;
}

bool Queue::MoveToBackoff(Entry& entry, std::string_view event) {
  if (options_.pop_from_backoff && StaysGated(entry, event)) {
    return false;
  }
  Enter(entry, entry.pod.rejection.empty() ? Place::kErrorBackoff : Place::kBackoff, event);
  return options_.pop_from_backoff;
}

bool Queue::StaysGated(Entry& entry, std::string_view event) {
  const Place place = entry.place;
  Detach(entry);  // what it is indexed by changes
  RunPreEnqueue(entry.pod);
  if (!entry.pod.IsGated()) {
    return false;
  }
  entry.pod.was_flushed = false;
  if (place == Place::kUnschedulable) {
    Attach(entry, place);
  } else {
    Enter(entry, Place::kUnschedulable, event);
  }
  return true;
}

bool Queue::Requeue(Entry& entry, Wake wake, std::string_view event) {
  if (wake == Wake::kSkip) {
    Enter(entry, Place::kUnschedulable, event);
    return false;
  }
  // The backoff may have ended while it waited.
  return wake == Wake::kAfterBackoff && IsBackingOff(entry.pod) ? MoveToBackoff(entry, event)
                                                                : MoveToActive(entry, event, false);
}

void Queue::UpdateUnschedulable(Entry& entry, const PodInfoPtr& before, const PodInfoPtr& now) {
  for (const ClusterEvent& event : ChangesOf(*before, *now, true)) {
    const Happening update{.event = event, .pod_before = before, .pod_now = now};
    const bool ready = Requeue(entry, WakeOf(entry.pod, update), event.Label());
    if (ready) {
      options_.ready();
    }
    if (ready || entry.place != Place::kUnschedulable) {
      return;
    }
  }
}

Wake Queue::WakeOf(const QueuedPod& pod, const Happening& happening) const {
  if (pod.rejection.empty()) {
    return Wake::kAfterBackoff;
  }
  const EventObjects objects = happening.objects();
  if (IsWildCard(happening.event)) {
    const bool for_others = HasObject(objects) && (objects.pod_now == nullptr ||
                                                   objects.pod_now->uid() != pod.pod->uid());
    return for_others ? Wake::kSkip : Wake::kAfterBackoff;
  }
  const QueueRules* const rules = RulesOf(*pod.pod);
  return rules == nullptr ? Wake::kAfterBackoff
                          : rules->WakeOf(pod.rejection, *pod.pod, happening.event, objects);
}

Wake Queue::WakeByWhatHappened(const QueuedPod& pod) const {
  if (pod.rejection.empty()) {
    return Wake::kAfterBackoff;
  }
  Wake strongest = Wake::kSkip;
  for (const Happening* const each : in_flight_.Since(pod.pod->uid())) {
    strongest = std::max(strongest, WakeOf(pod, *each));
    if (strongest == Wake::kImmediately ||
        (strongest == Wake::kAfterBackoff && pod.rejection.pending.empty())) {
      break;
    }
  }
  return strongest;
}

bool Queue::IsConcerned(const Entry& entry, const Happening& happening) const {
  if (!entry.pod.IsGated() || IsWildCard(happening.event)) {
    return true;
  }
  const QueueRules* const rules = RulesOf(*entry.pod.pod);
  return rules != nullptr && rules->Concerns(entry.pod.gated_by, happening.event);
}

std::vector<Queue::Entry*> Queue::RefusedByAny(const ClusterEvent& event) const {
  std::set<Entry*, ByOrder> entries;
  const auto collect = [&](std::string_view plugin) {
    if (const auto found = refused_by_.find(plugin); found != refused_by_.end()) {
      entries.insert(found->second.begin(), found->second.end());
    }
  };
  if (IsWildCard(event)) {
    entries.insert(unschedulable_.begin(), unschedulable_.end());
  } else {
    collect({});
    for (const QueueRules& rules : rules_) {
      std::ranges::for_each(rules.InterestedIn(event), collect);
    }
  }
  return {entries.begin(), entries.end()};
}

bool Queue::MoveThese(const std::vector<Entry*>& entries, const Happening& happening) {
  bool ready = false;
  const std::string label = happening.event.Label();
  for (Entry* const entry : entries) {
    if (!IsConcerned(*entry, happening)) {
      continue;
    }
    const Wake wake = WakeOf(entry->pod, happening);
    if (wake != Wake::kSkip) {
      Detach(*entry);
      ready = Requeue(*entry, wake, label) || ready;
    }
  }
  in_flight_.Tell(happening);
  return ready;
}

}  // namespace quadra::scheduler
