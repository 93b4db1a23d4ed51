// Expectations: what a controller has asked for and not seen yet, so that it does not ask again
// because its copy of the cluster lags behind.
//
//   expectations.ExpectCreations("team-a/web", 3);
//   expectations.SawCreation("team-a/web");          // for every pod that appears
//   if (expectations.Met("team-a/web", loop.Now())) … count pods and act …
//
// What was expected is forgotten after five minutes: a lost event must not stop anything for ever.
// Not thread-safe. Cost: a lookup each.
#pragma once

#include <chrono>
#include <set>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "base/clock.h"

namespace quadra::lifecycle {

class Expectations {
 public:
  static constexpr std::chrono::minutes kPatience{5};

  // Both replace what was expected of this key before.
  void ExpectCreations(const std::string& key, int count, Time now);
  void ExpectDeletions(const std::string& key, std::set<std::string> names, Time now);

  // Seen, or not to be waited for any longer.
  void SawCreation(const std::string& key);
  void SawDeletion(const std::string& key, const std::string& name);

  void Forget(const std::string& key) { expected_.erase(key); }

  // Nothing is expected any more.
  bool Met(const std::string& key, Time now) const;

 private:
  struct Expected {
    int creations = 0;
    std::set<std::string> deletions;
    Time since;
  };

  absl::flat_hash_map<std::string, Expected> expected_;
};

}  // namespace quadra::lifecycle
