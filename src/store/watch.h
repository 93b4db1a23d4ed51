// Watch: the changes of a stretch of keys from a revision on, in order, without gap or double, and
// none that a power cut could still undo.
//
//   auto watch = store.Watch({.prefix = "pods/", .after = list.revision(), .wake = [&] { … }});
//   while (true) {
//     const Delivery delivery = (*watch)->Take();
//     for (const EventPtr& event : delivery.events) Send(*event);
//     if (delivery.ended) return;                    // why: *delivery.ended
//     if (!delivery.more) WaitForWake();
//   }
//
// Threads: a watch is used by one thread at a time. `wake` is called by the store's writer, which
// it must not keep and into whose store it must not call; typically it posts to an event loop. Once
// the destructor has returned it is called no more. A watch may outlive its store.
//
// Cost: what happened before the watch began, however much, is read from the store's history when
// asked for; what happens later waits in a queue of its own, which is bounded. A watcher that lets
// it overflow is ended, and may begin again behind the last event it saw; the writer never waits.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/event.h"
#include "store/record.h"

namespace quadra::store {

class Mailbox;
class Timeline;

struct WatchOptions {
  std::string prefix;
  Revision after = 0;  // events behind it; it may lie in the future
  std::size_t most_waiting = 10'000;
  std::function<void()> wake = [] {};
};

enum class WatchEnd {
  kTooSlow,  // the queue overflowed
  kExpired,  // it fell so far behind that what it wants next is forgotten
  kClosed,   // the store was closed
};

struct Delivery {
  std::vector<EventPtr> events;
  // With these events everything up to here was delivered: what a bookmark may say.
  Revision through = 0;
  // Whether to take again at once. If not, `wake` is called when there is something.
  bool more = false;
  std::optional<WatchEnd> ended;  // nothing comes behind these events
};

class Watch {
 public:
  // For Store::Watch.
  Watch(std::shared_ptr<Timeline> timeline, WatchOptions options);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Does not block. At most `most` events.
  Delivery Take(std::size_t most = 1000);

 private:
  std::shared_ptr<Timeline> timeline_;
  std::unique_ptr<Mailbox> mailbox_;
  bool live_ = false;  // gets what is published; until then it reads the past
};

}  // namespace quadra::store
