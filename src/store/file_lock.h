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
  ~FileLock();
  FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace quadra::store
