// ForgetfulDisk: a file system for SQLite that knows what was synced, so that a test can cut the
// power at any moment; and one on which space can run out.
//
//   ForgetfulDisk disk;
//   disk.OnOperation([&] { if (cut here) remains = disk.Cut(random); });
//   OpenSqliteLog(folder / "store.db", {.vfs = disk.name()});
//   …
//   WriteFiles(remains, another_folder);       // what a machine finds after the power cut
//
// Files lie in the real file system and are read from there. Beside it every file has an image of
// what was synced, and a list of what was not: of that a power cut keeps nothing, all, a beginning
// or any sectors. Names and lengths follow what was kept.
//
// Thread-safe. Must outlive the connections that use it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/random.h"

namespace quadra::store {

// By file name, without folder.
using FilesOnDisk = std::map<std::string, std::string>;

void WriteFiles(const FilesOnDisk& files, const std::filesystem::path& folder);

class ForgetfulDisk {
 public:
  ForgetfulDisk();
  ~ForgetfulDisk();
  ForgetfulDisk(const ForgetfulDisk&) = delete;
  ForgetfulDisk& operator=(const ForgetfulDisk&) = delete;

  const std::string& name() const { return name_; }

  // Called before every write, cut and sync; may call Cut. REQUIRES: nothing is open yet.
  void OnOperation(std::function<void()> hook) { hook_ = std::move(hook); }
  FilesOnDisk Cut(Random& random) const QUADRA_EXCLUDES(mutex_);
  // Files may not grow by more than so much from now on; absent: without bound.
  void SetRoom(std::optional<std::int64_t> bytes) QUADRA_EXCLUDES(mutex_);

  // For the functions that SQLite calls.
  struct Change {
    std::size_t offset = 0;
    std::string bytes;
    bool cut = false;  // the file ends at `offset`
  };
  void Open(const std::string& path) QUADRA_EXCLUDES(mutex_);
  void Forget(const std::string& path) QUADRA_EXCLUDES(mutex_);
  // False: there is no room.
  bool Note(const std::string& path, Change change) QUADRA_EXCLUDES(mutex_);
  void Sync(const std::string& path) QUADRA_EXCLUDES(mutex_);

 private:
  struct Image {
    std::string synced;
    std::vector<Change> unsynced;
    std::size_t size = 0;  // with all changes
  };
  struct Vfs;

  std::string name_;
  std::unique_ptr<Vfs> vfs_;
  std::function<void()> hook_ = [] {};

  mutable Mutex mutex_;
  std::map<std::string, Image> images_ QUADRA_GUARDED_BY(mutex_);
  std::optional<std::int64_t> room_ QUADRA_GUARDED_BY(mutex_);
};

}  // namespace quadra::store
