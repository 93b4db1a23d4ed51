#include "store/timeline.h"

#include <optional>
#include <utility>

namespace quadra::store {
namespace {

// How many events one call looks at, so that none holds the lock for long.
constexpr std::size_t kMostLookedAt = 8192;

}  // namespace

Timeline::Timeline(std::shared_ptr<Lineage> lineage, Retention retention, Past past, Time now)
    : lineage_(std::move(lineage)),
      head_(past.head),
      published_(past.head.revision()),
      history_(retention, std::move(past), now) {}

Snapshot Timeline::Head() const {
  const MutexLock lock(head_mutex_);
  return head_;
}

Revision Timeline::Compacted() const {
  const MutexLock lock(mutex_);
  return history_.compacted();
}

NotRetained Timeline::Missing(Revision asked) const {
  return {.asked = asked, .oldest = history_.compacted(), .head = history_.head().revision()};
}

IfRetained<Snapshot> Timeline::At(Revision revision) {
  std::optional<PastState> past;
  {
    const MutexLock lock(mutex_);
    if (revision < history_.compacted() || revision > history_.head().revision()) {
      return tl::unexpected(Missing(revision));
    }
    past = history_.StateAt(revision);
  }
  const bool costly = !past->undo.empty();
  Snapshot snapshot = std::move(*past).Assemble(*lineage_);
  if (costly) {
    const MutexLock lock(mutex_);
    history_.Remember(snapshot);
  }
  return snapshot;
}

void Timeline::Publish(std::span<const EventPtr> events, const Snapshot& head, Time now) {
  const MutexLock lock(mutex_);
  history_.Add(events, head, now);
  {
    const MutexLock head_lock(head_mutex_);
    head_ = head;
  }
  for (const EventPtr& event : events) {
    audience_.Offer(event);
  }
  published_.store(head.revision(), std::memory_order_release);
}

void Timeline::Forget(Time now) {
  const MutexLock lock(mutex_);
  history_.Forget(now);
}

void Timeline::Close() {
  const MutexLock lock(mutex_);
  closed_ = true;
  audience_.End(WatchEnd::kClosed);
}

IfRetained<void> Timeline::MayWatch(Revision after) const {
  const MutexLock lock(mutex_);
  if (after < history_.compacted()) {
    return tl::unexpected(Missing(after));
  }
  return {};
}

Delivery Timeline::CatchUp(Mailbox& mailbox, std::size_t most, bool& live) {
  Delivery delivery;
  const MutexLock lock(mutex_);
  if (closed_ || mailbox.through() < history_.compacted()) {
    delivery.ended = closed_ ? WatchEnd::kClosed : WatchEnd::kExpired;
    delivery.through = mailbox.through();
    return delivery;
  }
  std::size_t looked_at = 0;
  history_.VisitAfter(mailbox.through(), [&](const EventPtr& event) {
    if (event->record->key.text().starts_with(mailbox.prefix())) {
      delivery.events.push_back(event);
    }
    mailbox.Advance(event->revision());
    return ++looked_at < kMostLookedAt && delivery.events.size() < most;
  });
  live = mailbox.through() >= history_.head().revision();
  if (live) {
    audience_.Add(&mailbox);
  }
  delivery.more = !live;
  delivery.through = mailbox.through();
  return delivery;
}

void Timeline::Leave(Mailbox& mailbox) {
  const MutexLock lock(mutex_);
  audience_.Remove(&mailbox);
}

}  // namespace quadra::store
