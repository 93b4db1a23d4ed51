#include "store/mailbox.h"

#include <algorithm>

namespace quadra::store {

void Mailbox::Offer(const EventPtr& event) {
  bool rouse = false;
  {
    const MutexLock lock(mutex_);
    if (ended_ || event->revision() <= options_.after) {
      return;
    }
    rouse = waiting_.empty();
    if (waiting_.size() >= options_.most_waiting) {
      ended_ = WatchEnd::kTooSlow;
    } else {
      waiting_.push_back(event);
    }
  }
  if (rouse) {
    options_.wake();
  }
}

void Mailbox::End(WatchEnd why) {
  {
    const MutexLock lock(mutex_);
    if (ended_) {
      return;
    }
    ended_ = why;
  }
  options_.wake();
}

Delivery Mailbox::Take(std::size_t most, Revision published) {
  Delivery delivery;
  const MutexLock lock(mutex_);
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(most, waiting_.size()));
  delivery.events.assign(waiting_.begin(), end);
  waiting_.erase(waiting_.begin(), end);
  if (!delivery.events.empty()) {
    Advance(delivery.events.back()->revision());
  }
  if (waiting_.empty() && !ended_) {  // where it ended, events may have been dropped
    Advance(published);
  }
  delivery.through = through_;
  delivery.more = !waiting_.empty();
  if (waiting_.empty()) {
    delivery.ended = ended_;
  }
  return delivery;
}

}  // namespace quadra::store
