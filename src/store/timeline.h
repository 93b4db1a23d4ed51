// Timeline: what readers may see: the head, the retained past, and the events as they are
// published. The writer publishes what is durable; watches and readers share it.
//
// A watcher reads the past from the history until it has seen all of it; in the same critical
// section in which it sees the last event it joins the audience, so that it neither misses the next
// one nor gets it twice.
//
// Thread-safe. Publish and Forget are called by one thread. Locks are taken in the order: the one of
// the timeline, then that of the head or of a mailbox. Watchers are woken under the first, so that
// Leave can promise that they are not woken any more.
//
// Cost: Head is a short lock and a few pointers, whatever else goes on. At undoes what happened
// since the nearest kept snapshot, outside of the lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "base/lineage.h"
#include "base/mutex.h"
#include "store/audience.h"
#include "store/history.h"
#include "store/retained.h"
#include "store/snapshot.h"

namespace quadra::store {

class Timeline {
 public:
  // `lineage` is the one of all that is published.
  Timeline(std::shared_ptr<Lineage> lineage, Retention retention, Past past, Time now);

  Snapshot Head() const QUADRA_EXCLUDES(head_mutex_);
  // Every event up to here was offered to all who watch live.
  Revision published() const { return published_.load(std::memory_order_acquire); }
  Revision Compacted() const QUADRA_EXCLUDES(mutex_);
  IfRetained<Snapshot> At(Revision revision) QUADRA_EXCLUDES(mutex_);

  // Readers see the head before watchers see what made it: who acts on an event finds its result.
  void Publish(std::span<const EventPtr> events, const Snapshot& head, Time now)
      QUADRA_EXCLUDES(mutex_);
  void Forget(Time now) QUADRA_EXCLUDES(mutex_);
  // Ends all who watch, now and later.
  void Close() QUADRA_EXCLUDES(mutex_);

  // Whether a watch from there on misses nothing.
  IfRetained<void> MayWatch(Revision after) const QUADRA_EXCLUDES(mutex_);
  // What the mailbox misses of the past, at most so many events; who has missed nothing more gets
  // what comes live from then on, which is what `live` becomes.
  Delivery CatchUp(Mailbox& mailbox, std::size_t most, bool& live) QUADRA_EXCLUDES(mutex_);
  // Once it returned the mailbox is not touched any more.
  void Leave(Mailbox& mailbox) QUADRA_EXCLUDES(mutex_);

 private:
  NotRetained Missing(Revision asked) const QUADRA_REQUIRES(mutex_);

  const std::shared_ptr<Lineage> lineage_;

  mutable Mutex head_mutex_;
  Snapshot head_ QUADRA_GUARDED_BY(head_mutex_);

  std::atomic<Revision> published_;
  mutable Mutex mutex_;
  History history_ QUADRA_GUARDED_BY(mutex_);
  Audience audience_ QUADRA_GUARDED_BY(mutex_);
  bool closed_ QUADRA_GUARDED_BY(mutex_) = false;
};

}  // namespace quadra::store
