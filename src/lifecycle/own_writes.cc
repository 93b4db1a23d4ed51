#include "lifecycle/own_writes.h"

namespace quadra::lifecycle {

bool IsBefore(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

void OwnWrites::Note(const std::string& key, std::string_view resource_version) {
  std::string& written = written_[key];
  if (IsBefore(written, resource_version)) {
    written = resource_version;
  }
}

bool OwnWrites::SeenIn(std::string_view copy, const std::string& key) {
  const auto found = written_.find(key);
  if (found == written_.end()) {
    return true;
  }
  if (IsBefore(copy, found->second)) {
    return false;
  }
  written_.erase(found);
  return true;
}

}  // namespace quadra::lifecycle
