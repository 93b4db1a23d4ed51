// EventCorrelator: what becomes of an event before it is written: counted, gathered with those like
// it, or dropped. Private to src/client.
//
// As client-go's: the same event again is a patch of the first one's count. The tenth text that
// differs within ten minutes of the one before, of one reason about one object, and those after it,
// become one event "(combined from similar events): …". One source may tell 25 events of one type
// about one object at once, then one in five minutes; what is over that is counted, not written.
// Remembers 4,096 of each.
// Threads: one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "base/clock.h"
#include "base/random.h"
#include "client/event_recorder.h"
#include "client/recent.h"

namespace quadra::client {

// An Event of core/v1.
struct EventRecord {
  std::string name;
  std::string ns;
  ObjectReference about;
  EventType type = EventType::kNormal;
  std::string reason;
  std::string message;
  std::string component;
  std::string action;  // empty: not said
  Time first;
  Time last;
  std::int64_t count = 1;  // more than one: there is such an event, which is to be patched
  bool combined = false;
};

class EventCorrelator {
 public:
  // `random` must outlive it.
  EventCorrelator(std::string component, Random& random);

  // Nothing where it is dropped.
  std::optional<EventRecord> Take(const ObjectReference& about, EventType type,
                                  std::string_view reason, std::string_view message, Time now);

 private:
  // Of events that differ in their message alone.
  struct Group {
    absl::flat_hash_set<std::string> messages;
    std::optional<Time> last;
  };
  struct Known {
    std::string name;
    Time first;
    std::int64_t count = 0;
  };
  // A bucket that fills slowly.
  struct Allowance {
    double tokens = 0;
    std::optional<Time> filled;
  };

  // Whether it is one of too many alike.
  bool Combines(const EventRecord& event);
  void Count(EventRecord& event);
  bool Allows(const EventRecord& event);
  std::string NewName(std::string_view about, Time now);

  const std::string component_;
  Random& random_;
  Recent<Group> groups_;
  Recent<Known> known_;
  Recent<Allowance> allowances_;
  std::int64_t last_stamp_ = 0;
};

}  // namespace quadra::client
