#include "base/time_zones.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace quadra {
namespace {

constexpr std::string_view kFolder = "/usr/share/zoneinfo/";

// Names that would leave the folder.
bool IsOutside(std::string_view name) {
  return name.empty() || name.front() == '/' || name.front() == '\\' ||
         name.find("..") != std::string_view::npos;
}

tl::unexpected<Error> Unreadable(std::string_view name, int error) {
  if (error == ENOENT) {
    return Fail(ErrorKind::kNotFound, "unknown time zone " + std::string(name));
  }
  std::string words = std::generic_category().message(error);
  words.front() = static_cast<char>(words.front() | 0x20);  // Go begins them with a small letter
  return Fail(ErrorKind::kUnreadable, std::move(words));
}

// Through <cstdio>, which reports what streams throw: a directory opens, and fails when it is read.
Result<std::string> ReadZone(std::string_view name) {
  if (name.find('\0') != std::string_view::npos) {
    return Unreadable(name, EINVAL);
  }
  const std::string path = std::string(kFolder) + std::string(name);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (file == nullptr) {
    return Unreadable(name, errno);
  }
  std::string bytes;
  std::array<char, 4096> chunk;
  while (const std::size_t got = std::fread(chunk.data(), 1, chunk.size(), file.get())) {
    bytes.append(chunk.data(), got);
  }
  if (std::ferror(file.get()) != 0) {
    return Unreadable(name, errno);
  }
  return bytes;
}

}  // namespace

Result<std::string_view> SystemTimeZones::Find(std::string_view name) const {
  if (IsOutside(name)) {
    return Fail(ErrorKind::kInvalid, "time: invalid location name");
  }
  const MutexLock lock(mutex_);
  if (const auto known = zones_.find(name); known != zones_.end()) {
    return known->second;
  }
  QUADRA_TRY(std::string bytes, ReadZone(name));
  if (!bytes.starts_with("TZif")) {
    return Fail(ErrorKind::kInvalid, "malformed time zone information");
  }
  return zones_.emplace(name, std::move(bytes)).first->second;
}

}  // namespace quadra
