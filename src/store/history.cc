#include "store/history.h"

#include <algorithm>
#include <utility>

namespace quadra::store {
namespace {

constexpr std::size_t kMostRemembered = 8;

}  // namespace

Snapshot PastState::Assemble(Lineage& lineage) && {
  if (undo.empty()) {
    return Snapshot(revision, behind.content());
  }
  Content content = behind.content();
  const Epoch epoch = lineage.Next();
  for (const EventPtr& event : undo) {
    content.Undo(epoch, *event);
  }
  return Snapshot(revision, std::move(content));
}

History::History(Retention retention, Past past, Time now)
    : retention_(retention), compacted_(past.compacted), head_(past.head) {
  Add(past.events, std::move(past.head), now);
}

void History::Add(std::span<const EventPtr> events, Snapshot head, Time now) {
  for (const EventPtr& event : events) {
    bytes_ += event->record->bytes.size();
    ring_.push_back({event, now});
  }
  const Revision latest = milestones_.empty() ? compacted_ : milestones_.rbegin()->first;
  if (head_.revision() >= latest + retention_.between_milestones) {
    milestones_.emplace(head_.revision(), std::move(head_));
  }
  head_ = std::move(head);
  while (TooMuch()) {
    DropOldest();
  }
  DropSnapshots();
}

void History::Forget(Time now) {
  while (ring_.size() > retention_.least_events &&
         ring_.front().time + retention_.least_age <= now) {
    DropOldest();
  }
  DropSnapshots();
}

bool History::TooMuch() const {
  return !ring_.empty() &&
         (ring_.size() > retention_.most_events || bytes_ > retention_.most_bytes);
}

void History::DropOldest() {
  compacted_ = ring_.front().event->revision();
  bytes_ -= ring_.front().event->record->bytes.size();
  ring_.pop_front();
}

void History::DropSnapshots() {
  milestones_.erase(milestones_.begin(), milestones_.lower_bound(compacted_));
  std::erase_if(remembered_, [this](const Snapshot& s) { return s.revision() < compacted_; });
}

std::size_t History::PlaceAfter(Revision revision) const {
  const auto at = std::ranges::upper_bound(
      ring_, revision, {}, [](const Moment& moment) { return moment.event->revision(); });
  return static_cast<std::size_t>(at - ring_.begin());
}

PastState History::StateAt(Revision revision) const {
  const auto milestone = milestones_.lower_bound(revision);
  const Snapshot* behind = milestone == milestones_.end() ? &head_ : &milestone->second;
  for (const Snapshot& candidate : remembered_) {
    if (candidate.revision() >= revision && candidate.revision() < behind->revision()) {
      behind = &candidate;
    }
  }
  PastState state{.revision = revision, .behind = *behind, .undo = {}};
  VisitAfter(revision, [&](const EventPtr& event) {
    const bool undo = event->revision() <= behind->revision();
    if (undo) {
      state.undo.push_back(event);
    }
    return undo;
  });
  std::ranges::reverse(state.undo);
  return state;
}

void History::Remember(Snapshot snapshot) {
  remembered_.push_back(std::move(snapshot));
  if (remembered_.size() > kMostRemembered) {
    remembered_.pop_front();
  }
}

}  // namespace quadra::store
