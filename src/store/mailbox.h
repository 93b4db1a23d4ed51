// Mailbox: the bounded queue between the one who publishes events and one watcher.
//
// It also knows the watcher's position: the revision up to which it was handed everything. Who finds
// the queue empty has seen all that was published before the look; hence Take is given the revision
// that was published before, not now. Where events were dropped, the position stays.
//
// Thread-safe: one publisher, one reader. The publisher never waits: beyond the bound the mailbox
// ends, and what is in it can still be taken.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "base/mutex.h"
#include "store/event.h"
#include "store/watch.h"

namespace quadra::store {

class Mailbox {
 public:
  explicit Mailbox(WatchOptions options) : options_(std::move(options)), through_(options_.after) {}

  const std::string& prefix() const { return options_.prefix; }
  // For the reader alone: everything up to here was handed out.
  Revision through() const { return through_; }
  void Advance(Revision through) { through_ = std::max(through_, through); }

  // By the publisher. What the watcher did not ask for, or can no longer get, is dropped.
  void Offer(const EventPtr& event) QUADRA_EXCLUDES(mutex_);
  void End(WatchEnd why) QUADRA_EXCLUDES(mutex_);
  // By the reader. REQUIRES: everything up to `published` was offered.
  Delivery Take(std::size_t most, Revision published) QUADRA_EXCLUDES(mutex_);

 private:
  const WatchOptions options_;
  Revision through_;

  Mutex mutex_;
  std::deque<EventPtr> waiting_ QUADRA_GUARDED_BY(mutex_);
  std::optional<WatchEnd> ended_ QUADRA_GUARDED_BY(mutex_);
};

}  // namespace quadra::store
