// Recent: the last few entries of something that only spares work: forgetting one is never wrong.
//
//   Recent<Nothing> gone(500);
//   gone.Put(pod.metadata.uid, {});
//   if (gone.Find(uid) != nullptr) …
//
// Cost: a hash per call; at most `most` entries, the oldest goes first. One thread at a time.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace quadra::claims {

struct Nothing {};

template <typename Value>
class Recent {
 public:
  explicit Recent(std::size_t most) : most_(most) {}

  void Put(const std::string& key, Value value) {
    values_.insert_or_assign(key, std::move(value));
    order_.push_back(key);
    if (order_.size() > most_) {
      values_.erase(order_.front());
      order_.pop_front();
    }
  }
  // Null where it was never put, removed or forgotten; good until the next change.
  const Value* Find(const std::string& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
  }
  void Remove(const std::string& key) { values_.erase(key); }

 private:
  const std::size_t most_;
  absl::flat_hash_map<std::string, Value> values_;
  std::deque<std::string> order_;  // in which they were put; may name some twice or in vain
};

}  // namespace quadra::claims
