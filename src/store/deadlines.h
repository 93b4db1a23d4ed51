// Deadlines: the records that expire, soonest first, as of the head of a store.
//
// Whoever changes the head tells it of every event. Whether a time has come is decided when asked,
// by the wall clock, so that deadlines survive restarts; a clock that jumps back delays them.
//
// Not thread-safe. O(log of those that expire) an event.
#pragma once

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "store/event.h"
#include "store/record.h"

namespace quadra::store {

class Deadlines {
 public:
  void Add(const RecordPtr& record);
  // A change happened: what it replaced no longer expires, what it left may.
  void Follow(const Event& event);
  // At most so many of those whose time has come.
  std::vector<RecordPtr> Due(Time now, std::size_t most) const;

 private:
  struct Sooner {
    bool operator()(const RecordPtr& a, const RecordPtr& b) const {
      return std::pair(a->expires, a->modified) < std::pair(b->expires, b->modified);
    }
  };
  std::set<RecordPtr, Sooner> expiring_;
};

}  // namespace quadra::store
