#include "answers/zone_files.h"

#include <fstream>
#include <iterator>

namespace quadra::answers {

const ZoneFiles& ZoneFiles::Instance() {
  static const ZoneFiles* const instance = new ZoneFiles();
  return *instance;
}

std::optional<std::string_view> ZoneFiles::Find(std::string_view name) const {
  if (name.empty() || name.starts_with('/') || name.find("..") != std::string_view::npos) {
    return std::nullopt;
  }
  const auto found = zones_.find(name);
  if (found != zones_.end()) {
    return found->second;
  }
  std::ifstream file("/usr/share/zoneinfo/" + std::string(name), std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!text.starts_with("TZif")) {
    return std::nullopt;
  }
  return zones_.emplace(name, std::move(text)).first->second;
}

}  // namespace quadra::answers
