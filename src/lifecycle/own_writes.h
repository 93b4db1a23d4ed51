// OwnWrites: whether a copy of a collection has come as far as what we wrote ourselves. Who decides by
// a copy that has not would undo or repeat its own work.
//
//   writes.Note(key, answered_resource_version);
//   if (!writes.SeenIn(informer.resource_version(), key)) return;  // its event will come, and with
//                                                                  // it the next look
// Not thread-safe. Cost: a lookup each.
#pragma once

#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"

namespace quadra::lifecycle {

// Whether revision `a` is before `b`. Both are decimal numbers, or empty: before all others.
bool IsBefore(std::string_view a, std::string_view b);

class OwnWrites {
 public:
  // The newest counts.
  void Note(const std::string& key, std::string_view resource_version);
  void Forget(const std::string& key) { written_.erase(key); }
  // Forgets what was seen.
  bool SeenIn(std::string_view copy, const std::string& key);

 private:
  absl::flat_hash_map<std::string, std::string> written_;  // resourceVersions
};

}  // namespace quadra::lifecycle
