#include "cli/time_zones.h"

#include <fstream>
#include <iterator>

namespace quadra::cli {
namespace {

constexpr std::string_view kFolder = "/usr/share/zoneinfo/";

// Names that would leave the folder, or are no names of zones.
bool IsName(std::string_view name) {
  return !name.empty() && name.size() < 100 && name.front() != '/' && name.front() != '\\' &&
         name.find("..") == std::string_view::npos && name.find('\0') == std::string_view::npos;
}

}  // namespace

std::optional<std::string_view> SystemTimeZones::Find(std::string_view name) const {
  const MutexLock lock(mutex_);
  if (const auto known = zones_.find(name); known != zones_.end()) {
    return known->second;
  }
  if (!IsName(name)) {
    return std::nullopt;
  }
  std::ifstream file(std::string(kFolder) + std::string(name), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!bytes.starts_with("TZif")) {
    return std::nullopt;
  }
  return zones_.emplace(name, std::move(bytes)).first->second;
}

}  // namespace quadra::cli
