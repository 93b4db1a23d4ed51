// FileLock: keeps a second process from using the same store.
//
// The lock is the system's and ends with the process, however it ends. Its file stays: it carries
// the number of the process that has, or had, the lock, for the message to the next one.
#pragma once

#include <filesystem>
#include <utility>

#include "base/result.h"

namespace quadra::store {

class FileLock {
 public:
  // Of `file`, beside which the file of the lock lies.
  static Result<FileLock> Take(const std::filesystem::path& file);
  // The file itself too, which must exist: the other can be deleted by mistake.
  Status TakeToo(const std::filesystem::path& file);
  ~FileLock();
  FileLock(FileLock&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), own_(std::exchange(other.own_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(own_, other.own_);
    return *this;
  }

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;  // of the file beside it
  int own_ = -1;    // of the file
};

}  // namespace quadra::store
