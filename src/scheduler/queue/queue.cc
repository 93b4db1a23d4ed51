#include "scheduler/queue/queue.h"

#include <algorithm>
#include <utility>

namespace quadra::scheduler {
namespace {

constexpr std::string_view kAdded = "UnscheduledPodAdd";
constexpr std::string_view kAttemptFailed = "ScheduleAttemptFailure";
constexpr std::string_view kPoppedFromBackoff = "PopFromBackoffQ";

}  // namespace

Queue::Queue(loop::EventLoop& loop, std::vector<QueueRules> rules, QueueOptions options)
    : loop_(loop), rules_(std::move(rules)), options_(std::move(options)) {}

Queue::~Queue() { *alive_ = false; }

void Queue::Add(const PodInfoPtr& pod) {
  if (Knows(pod->uid()) || in_flight_.Has(pod->uid())) {
    const Entry* const entry = FindEntry(pod->uid());
    Update(entry != nullptr ? entry->pod.pod : in_flight_.Newest(pod->uid()), pod);
    return;
  }
  Entry& entry = Make({.pod = pod, .timestamp = loop_.Now()});
  nominator_.Add(pod);
  if (MoveToActive(entry, kAdded, false)) {
    options_.ready();
  }
}

void Queue::Update(const PodInfoPtr& before, const PodInfoPtr& now) {
  if (before->uid() != now->uid()) {
    Remove(*before);
    Add(now);
    return;
  }
  if (in_flight_.Has(now->uid())) {
    in_flight_.Renew(now->uid(), now);
    for (const ClusterEvent& event : ChangesOf(*before, *now, true)) {
      in_flight_.Tell({.event = event, .pod_before = before, .pod_now = now});
    }
    return;
  }
  Entry* const entry = FindEntry(now->uid());
  if (entry == nullptr) {
    Add(now);
    return;
  }
  Replace(*entry, now);
  nominator_.Update(*before, now);
  if (entry->place == Place::kUnschedulable) {
    UpdateUnschedulable(*entry, before, now);
  }
}

void Queue::Remove(const PodInfo& pod) {
  nominator_.Delete(pod);
  in_flight_.Forget(pod.uid());
  if (Entry* const entry = FindEntry(pod.uid())) {
    Drop(*entry);
  }
}

std::optional<QueuedPod> Queue::Pop() {
  Entry* entry = nullptr;
  if (!active_.empty()) {
    entry = *active_.begin();
  } else if (options_.pop_from_backoff && !backoff_.empty()) {
    entry = *backoff_.begin();
    options_.incoming("active", kPoppedFromBackoff);
  } else {
    return std::nullopt;
  }
  QueuedPod pod = entry->pod;
  Drop(*entry);
  ++pod.attempts;
  ++cycles_;
  in_flight_.Begin(pod.pod);
  return pod;
}

void Queue::AddUnschedulable(QueuedPod pod, Rejection rejection) {
  const std::string uid = pod.pod->uid();
  if (in_flight_.IsForgotten(uid) || FindEntry(uid) != nullptr) {
    Done(uid);
    return;
  }
  if (rejection.empty()) {
    ++pod.consecutive_errors;
  } else {
    ++pod.unschedulable_count;
    pod.consecutive_errors = 0;
  }
  pod.rejection = std::move(rejection);
  pod.gated_by = {};
  pod.timestamp = loop_.Now();
  pod.backoff_expiry.reset();
  pod.was_flushed = false;
  pod.flushed.reset();
  Wake wake = Wake::kAfterBackoff;
  if (in_flight_.Has(uid)) {
    pod.pod = in_flight_.Newest(uid);
    wake = WakeByWhatHappened(pod);
    in_flight_.End(uid);
  }
  if (Requeue(Make(std::move(pod)), wake, kAttemptFailed)) {
    options_.ready();
  }
}

void Queue::Done(const std::string& uid) { in_flight_.End(uid); }

void Queue::AddNominated(const PodInfoPtr& pod, const std::optional<std::string>& node) {
  if (Knows(pod->uid())) {
    nominator_.Add(pod, node);
  } else {
    nominator_.Delete(*pod);
  }
}

void Queue::UpdateNominated(const PodInfo& before, const PodInfoPtr& now) {
  nominator_.Update(before, now);
}

void Queue::DeleteNominated(const PodInfo& pod) { nominator_.Delete(pod); }

QueueDepths Queue::depths() const {
  return {.active = active_.size(),
          .backoff = backoff_.size() + error_backoff_.size(),
          .unschedulable = unschedulable_.size() - gated_,
          .gated = gated_,
          .in_flight = in_flight_.size()};
}

std::optional<QueuePlace> Queue::PlaceOf(const std::string& uid) const {
  const Entry* const entry = FindEntry(uid);
  if (entry == nullptr) {
    return in_flight_.Has(uid) ? std::optional(QueuePlace::kInFlight) : std::nullopt;
  }
  switch (entry->place) {
    case Place::kActive:
      return QueuePlace::kActive;
    case Place::kBackoff:
    case Place::kErrorBackoff:
      return QueuePlace::kBackoff;
    case Place::kUnschedulable:
      return entry->pod.IsGated() ? QueuePlace::kGated : QueuePlace::kUnschedulable;
    case Place::kNone:
      break;
  }
  return std::nullopt;
}

const QueuedPod* Queue::Find(const std::string& uid) const {
  const Entry* const entry = FindEntry(uid);
  return entry == nullptr ? nullptr : &entry->pod;
}

std::vector<const QueuedPod*> Queue::Waiting() const {
  std::vector<const Entry*> entries;
  for (const auto& [uid, entry] : entries_) {
    entries.push_back(entry.get());
  }
  std::ranges::sort(entries, {}, &Entry::order);
  std::vector<const QueuedPod*> pods;
  for (const Entry* const entry : entries) {
    pods.push_back(&entry->pod);
  }
  return pods;
}

std::size_t Queue::RejectedBy(std::string_view plugin) const {
  const auto found = rejections_.find(plugin);
  return found == rejections_.end() ? 0 : found->second;
}

const QueueRules* Queue::RulesOf(const PodInfo& pod) const {
  const auto found =
      std::ranges::find(rules_, pod.pod.spec.scheduler_name, &QueueRules::scheduler_name);
  return found == rules_.end() ? nullptr : &*found;
}

bool Queue::Knows(const std::string& uid) const {
  return entries_.contains(uid) || (in_flight_.Has(uid) && !in_flight_.IsForgotten(uid));
}

Queue::Entry* Queue::FindEntry(const std::string& uid) const {
  const auto found = entries_.find(uid);
  return found == entries_.end() ? nullptr : found->second.get();
}

Queue::Entry& Queue::Make(QueuedPod pod) {
  CountRejections(pod, 1);
  auto entry = std::make_unique<Entry>();
  entry->pod = std::move(pod);
  entry->order = ++orders_;
  return *(entries_[entry->pod.pod->uid()] = std::move(entry));
}

void Queue::Drop(Entry& entry) {
  Detach(entry);
  CountRejections(entry.pod, -1);
  entries_.erase(std::string(entry.pod.pod->uid()));
}

void Queue::Replace(Entry& entry, const PodInfoPtr& now) {
  const Place place = entry.place;
  Detach(entry);
  entry.pod.pod = now;
  Attach(entry, place);
}

void Queue::CountRejections(const QueuedPod& pod, int by) {
  for (const auto* const plugins : {&pod.rejection.unschedulable, &pod.rejection.pending}) {
    for (const std::string_view plugin : *plugins) {
      rejections_[plugin] += static_cast<std::size_t>(by);
    }
  }
}

}  // namespace quadra::scheduler
