#include "store/file_lock.h"

#include <array>
#include <cerrno>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace quadra::store {
namespace {

// The process that has the lock, as it wrote it; "?": it did not yet.
std::string HolderOf(int descriptor) {
  std::array<char, 32> text{};
  const ssize_t size = pread(descriptor, text.data(), text.size(), 0);
  return size <= 0 ? "?" : std::string(text.data(), static_cast<std::size_t>(size));
}

void WriteHolder(int descriptor) {
  const std::string self = std::to_string(getpid());
  // Only the words of a message depend on it.
  [[maybe_unused]] const bool written =
      ftruncate(descriptor, 0) == 0 && pwrite(descriptor, self.data(), self.size(), 0) > 0;
}

Error InUse(const std::filesystem::path& file, int descriptor) {
  return {.kind = ErrorKind::kInvalid,
          .message = fmt::format("the store is in use by process {}", HolderOf(descriptor)),
          .value = file.string(),
          .remedy = "stop that process, or choose another --data-dir"};
}

}  // namespace

Result<FileLock> FileLock::Take(const std::filesystem::path& file) {
  const std::string name = file.string() + ".lock";
  const int descriptor = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    return Fail(Error{.kind = ErrorKind::kUnreadable,
                      .message = fmt::format("cannot write in the directory of the store ({})",
                                             std::generic_category().message(errno)),
                      .value = file.parent_path().string(),
                      .remedy = "create it and give this user write access, or choose another "
                                "--data-dir"});
  }
  FileLock lock(descriptor);
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return Fail(InUse(file, descriptor));
  }
  WriteHolder(descriptor);
  return lock;
}

Status FileLock::TakeToo(const std::filesystem::path& file) {
  own_ = open(file.c_str(), O_RDWR | O_CLOEXEC);
  return own_ < 0 || flock(own_, LOCK_EX | LOCK_NB) == 0 ? Status()
                                                         : Fail(InUse(file, descriptor_));
}

FileLock::~FileLock() {
  for (const int each : {own_, descriptor_}) {
    if (each >= 0) {
      close(each);
    }
  }
}

}  // namespace quadra::store
