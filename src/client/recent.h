// Recent: a map that forgets what was not asked for longest. Private to src/client.
//
//   Recent<std::string> names(4096);
//   std::string& name = names.At(key);     // made where it is not there
//
// Threads: one. Cost: two hash lookups.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace quadra::client {

template <typename T>
class Recent {
 public:
  // REQUIRES: room > 0.
  explicit Recent(std::size_t room) : room_(room) {}

  // Good until the next call.
  T& At(const std::string& key) {
    const auto found = places_.find(key);
    if (found != places_.end()) {
      entries_.splice(entries_.begin(), entries_, found->second);
      return entries_.front().second;
    }
    if (entries_.size() == room_) {
      places_.erase(entries_.back().first);
      entries_.pop_back();
    }
    entries_.emplace_front(key, T());
    places_.emplace(key, entries_.begin());
    return entries_.front().second;
  }

  std::size_t size() const { return entries_.size(); }

 private:
  using Entries = std::list<std::pair<std::string, T>>;

  const std::size_t room_;
  Entries entries_;  // the one that was asked for last, first
  absl::flat_hash_map<std::string, typename Entries::iterator> places_;
};

}  // namespace quadra::client
