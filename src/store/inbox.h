// Inbox: the writes that wait for the writer, bounded in number and bytes.
//
// Writes of the background wait in a lane of their own: however many there are, they neither keep
// others from being taken over nor fill more than the rest of what is taken at once, of which an
// eighth is theirs.
//
// Thread-safe: many put, one takes.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/mutex.h"
#include "store/doorbell.h"
#include "store/options.h"
#include "store/write.h"

namespace quadra::store {

// A write with what its author found in it, and whom to tell.
struct Pending {
  Write write;
  std::shared_ptr<const Facts> facts;
  Done done;
};

class Inbox {
 public:
  explicit Inbox(InboxLimits limits) : limits_(limits) {}

  // Why not; nothing: it was taken over.
  std::optional<Refused::Why> Put(Pending& pending) QUADRA_EXCLUDES(mutex_);
  // Of a lane the oldest first; none if none came in time. At least one is taken, however large.
  std::vector<Pending> Take(std::chrono::milliseconds patience) QUADRA_EXCLUDES(mutex_);
  // Wakes the taker.
  void Nudge() { bell_.Ring(); }
  // Refuses what comes from now on.
  void Close() QUADRA_EXCLUDES(mutex_);

 private:
  struct Lane {
    std::deque<Pending> waiting;
    std::size_t bytes = 0;
  };
  // What is taken at once, as it grows.
  struct Load {
    std::vector<Pending> writes;
    std::size_t bytes = 0;
  };
  static void Move(Lane& lane, Load& load, std::size_t most, std::size_t most_bytes);
  std::vector<Pending> TakeWaiting() QUADRA_EXCLUDES(mutex_);

  const InboxLimits limits_;
  Doorbell bell_;
  Mutex mutex_;
  Lane foreground_ QUADRA_GUARDED_BY(mutex_);
  Lane background_ QUADRA_GUARDED_BY(mutex_);
  bool closed_ QUADRA_GUARDED_BY(mutex_) = false;
};

}  // namespace quadra::store
