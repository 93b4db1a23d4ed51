// History: the recent past of a store, bounded: a ring of events and, now and then, a snapshot.
//
// An older state is found by undoing events from the nearest snapshot behind it. So a state costs
// memory only while somebody asks for it, and after a restart, when only the head is known, the
// past is still there as far as the log goes back.
//
// Memory: the records that events introduced and replaced, and what kept snapshots do not share
// with the head. Both are bounded by Retention.
//
// Not thread-safe: Timeline guards it.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "base/clock.h"
#include "store/event.h"
#include "store/options.h"
#include "store/snapshot.h"

namespace quadra::store {

// What is known when a history begins.
struct Past {
  Revision compacted = 0;        // nothing is known of what was before
  std::vector<EventPtr> events;  // since then
  Snapshot head;                 // the state after them
};

// A state of the past before it is put together, which needs no lock.
struct PastState {
  Revision revision = 0;
  Snapshot behind;             // a later state, or this one
  std::vector<EventPtr> undo;  // what happened in between, latest first

  Snapshot Assemble(Lineage& lineage) &&;
};

class History {
 public:
  History(Retention retention, Past past, Time now);

  // The state at this revision and all later ones are known, and the events behind it.
  Revision compacted() const { return compacted_; }
  const Snapshot& head() const { return head_; }

  // Forgets what is beyond the most that may be kept. REQUIRES: `head` is the state after `events`.
  void Add(std::span<const EventPtr> events, Snapshot head, Time now);
  // Forgets what is kept longer than it must.
  void Forget(Time now);

  // REQUIRES: compacted() <= revision <= head().revision().
  PastState StateAt(Revision revision) const;
  // An assembled state that may be asked for again.
  void Remember(Snapshot snapshot);

  // Calls visit(event) for events behind `revision` in order, until it returns false.
  template <typename Visit>
  void VisitAfter(Revision revision, const Visit& visit) const {
    for (std::size_t at = PlaceAfter(revision); at < ring_.size() && visit(ring_[at].event);) {
      ++at;
    }
  }

 private:
  struct Moment {
    EventPtr event;
    Time time;
  };
  std::size_t PlaceAfter(Revision revision) const;
  bool TooMuch() const;
  void DropOldest();
  void DropSnapshots();

  Retention retention_;
  Revision compacted_;
  std::deque<Moment> ring_;
  std::size_t bytes_ = 0;  // of the ring's records
  Snapshot head_;
  // Of the past, spaced so that undoing from one to the next is quick.
  std::map<Revision, Snapshot> milestones_;
  std::deque<Snapshot> remembered_;
};

}  // namespace quadra::store
