#include "lifecycle/expectations.h"

#include <utility>

namespace quadra::lifecycle {

void Expectations::ExpectCreations(const std::string& key, int count, Time now) {
  expected_[key] = {.creations = count, .deletions = {}, .since = now};
}

void Expectations::ExpectDeletions(const std::string& key, std::set<std::string> names, Time now) {
  expected_[key] = {.deletions = std::move(names), .since = now};
}

void Expectations::SawCreation(const std::string& key) {
  if (const auto found = expected_.find(key); found != expected_.end()) {
    --found->second.creations;
  }
}

void Expectations::SawDeletion(const std::string& key, const std::string& name) {
  if (const auto found = expected_.find(key); found != expected_.end()) {
    found->second.deletions.erase(name);
  }
}

bool Expectations::Met(const std::string& key, Time now) const {
  const auto found = expected_.find(key);
  if (found == expected_.end() || now - found->second.since > kPatience) {
    return true;
  }
  return found->second.creations <= 0 && found->second.deletions.empty();
}

}  // namespace quadra::lifecycle
