#include <algorithm>
#include <cstring>
#include <fstream>
#include <new>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "store/desk_for_tests.h"
#include "store/forgetful_disk_for_tests.h"

namespace quadra::store {
namespace {

constexpr std::size_t kSector = 512;

void Apply(std::string& image, const ForgetfulDisk::Change& change) {
  if (change.cut) {
    image.resize(change.offset);
    return;
  }
  image.resize(std::max(image.size(), change.offset + change.bytes.size()));
  image.replace(change.offset, change.bytes.size(), change.bytes);
}

// Each sector of the change that `survives`.
template <typename Survives>
void ApplySectors(std::string& image, const ForgetfulDisk::Change& change,
                  const Survives& survives) {
  for (std::size_t at = 0; at < change.bytes.size();) {
    const std::size_t end = std::min(
        (change.offset + at) / kSector * kSector + kSector - change.offset, change.bytes.size());
    if (survives()) {
      Apply(image, {.offset = change.offset + at, .bytes = change.bytes.substr(at, end - at)});
    }
    at = end;
  }
}

// How a disk may treat what it was not told to sync.
std::string Survivors(std::string image, const std::vector<ForgetfulDisk::Change>& changes,
                      Random& random) {
  const std::uint64_t fate = random.Below(4);  // nothing, all, a beginning, any sectors
  const std::size_t beginning = random.Below(changes.size() + 1);
  for (std::size_t at = 0; at < changes.size(); ++at) {
    const bool whole = fate == 1 || (fate == 2 && at < beginning);
    const auto survives = [&] { return fate == 3 ? random.Below(2) == 0 : whole; };
    if (changes[at].cut ? survives() : whole) {
      Apply(image, changes[at]);
    } else if (!changes[at].cut) {
      ApplySectors(image, changes[at], survives);
    }
  }
  return image;
}

}  // namespace

void WriteFiles(const FilesOnDisk& files, const std::filesystem::path& folder) {
  for (const auto& [name, bytes] : files) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
  }
}

void ForgetfulDisk::Open(const std::string& path) {
  const MutexLock lock(mutex_);
  if (!images_.contains(path)) {
    std::string bytes = ReadFile(path);
    const std::size_t size = bytes.size();
    images_.emplace(path, Image{.synced = std::move(bytes), .unsynced = {}, .size = size});
  }
}

void ForgetfulDisk::Forget(const std::string& path) {
  const MutexLock lock(mutex_);
  images_.erase(path);
}

bool ForgetfulDisk::Note(const std::string& path, Change change) {
  hook_();
  const MutexLock lock(mutex_);
  Image& image = images_[path];
  const std::size_t end = change.offset + change.bytes.size();
  const auto growth = static_cast<std::int64_t>(end) - static_cast<std::int64_t>(image.size);
  if (room_ && growth > 0) {
    if (growth > *room_) {
      return false;
    }
    *room_ -= growth;
  }
  image.size = change.cut ? change.offset : std::max(image.size, end);
  image.unsynced.push_back(std::move(change));
  return true;
}

void ForgetfulDisk::Sync(const std::string& path) {
  hook_();
  const MutexLock lock(mutex_);
  Image& image = images_[path];
  for (const Change& change : image.unsynced) {
    Apply(image.synced, change);
  }
  image.unsynced.clear();
}

void ForgetfulDisk::SetRoom(std::optional<std::int64_t> bytes) {
  const MutexLock lock(mutex_);
  room_ = bytes;
}

FilesOnDisk ForgetfulDisk::Cut(Random& random) const {
  FilesOnDisk files;
  const MutexLock lock(mutex_);
  for (const auto& [path, image] : images_) {
    files[std::filesystem::path(path).filename().string()] =
        Survivors(image.synced, image.unsynced, random);
  }
  return files;
}

namespace {

// What SQLite holds of an open file: ours, and behind it the real one.
struct File {
  sqlite3_file base;
  ForgetfulDisk* disk;
  std::string* path;  // null: a file that need not survive (shared memory, temporary ones)
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

File* Ours(sqlite3_file* file) { return reinterpret_cast<File*>(file); }
const sqlite3_io_methods* Real(sqlite3_file* file) { return Ours(file)->real()->pMethods; }

int Close(sqlite3_file* file) {
  delete Ours(file)->path;
  return Real(file)->xClose(Ours(file)->real());
}

int Write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  File* ours = Ours(file);
  const ForgetfulDisk::Change change{
      .offset = static_cast<std::size_t>(offset),
      .bytes = std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size))};
  if (ours->path != nullptr && !ours->disk->Note(*ours->path, change)) {
    return SQLITE_FULL;
  }
  return Real(file)->xWrite(ours->real(), bytes, size, offset);
}

int Truncate(sqlite3_file* file, sqlite3_int64 size) {
  File* ours = Ours(file);
  if (ours->path != nullptr) {
    ours->disk->Note(*ours->path, {.offset = static_cast<std::size_t>(size), .cut = true});
  }
  return Real(file)->xTruncate(ours->real(), size);
}

// The real file is not synced: the machine itself stays up.
int Sync(sqlite3_file* file, int /*flags*/) {
  if (Ours(file)->path != nullptr) {
    Ours(file)->disk->Sync(*Ours(file)->path);
  }
  return SQLITE_OK;
}

int Read(sqlite3_file* file, void* bytes, int size, sqlite3_int64 offset) {
  return Real(file)->xRead(Ours(file)->real(), bytes, size, offset);
}
int FileSize(sqlite3_file* file, sqlite3_int64* size) {
  return Real(file)->xFileSize(Ours(file)->real(), size);
}
int Lock(sqlite3_file* file, int level) { return Real(file)->xLock(Ours(file)->real(), level); }
int Unlock(sqlite3_file* file, int level) { return Real(file)->xUnlock(Ours(file)->real(), level); }
int CheckReservedLock(sqlite3_file* file, int* held) {
  return Real(file)->xCheckReservedLock(Ours(file)->real(), held);
}
int FileControl(sqlite3_file* file, int what, void* argument) {
  return Real(file)->xFileControl(Ours(file)->real(), what, argument);
}
int SectorSize(sqlite3_file* file) { return Real(file)->xSectorSize(Ours(file)->real()); }
int DeviceCharacteristics(sqlite3_file* file) {
  return Real(file)->xDeviceCharacteristics(Ours(file)->real());
}
int ShmMap(sqlite3_file* file, int region, int size, int extend, void volatile** memory) {
  return Real(file)->xShmMap(Ours(file)->real(), region, size, extend, memory);
}
int ShmLock(sqlite3_file* file, int offset, int count, int flags) {
  return Real(file)->xShmLock(Ours(file)->real(), offset, count, flags);
}
void ShmBarrier(sqlite3_file* file) { Real(file)->xShmBarrier(Ours(file)->real()); }
int ShmUnmap(sqlite3_file* file, int remove) {
  return Real(file)->xShmUnmap(Ours(file)->real(), remove);
}

const sqlite3_io_methods kMethods = {.iVersion = 2,
                                     .xClose = Close,
                                     .xRead = Read,
                                     .xWrite = Write,
                                     .xTruncate = Truncate,
                                     .xSync = Sync,
                                     .xFileSize = FileSize,
                                     .xLock = Lock,
                                     .xUnlock = Unlock,
                                     .xCheckReservedLock = CheckReservedLock,
                                     .xFileControl = FileControl,
                                     .xSectorSize = SectorSize,
                                     .xDeviceCharacteristics = DeviceCharacteristics,
                                     .xShmMap = ShmMap,
                                     .xShmLock = ShmLock,
                                     .xShmBarrier = ShmBarrier,
                                     .xShmUnmap = ShmUnmap};

sqlite3_vfs* Default() { return sqlite3_vfs_find(nullptr); }

int OpenFile(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  auto* disk = static_cast<ForgetfulDisk*>(vfs->pAppData);
  File* ours = new (file) File{.base = {}, .disk = disk, .path = nullptr};
  const int code = Default()->xOpen(Default(), name, ours->real(), flags, out_flags);
  if (ours->real()->pMethods == nullptr) {
    return code;
  }
  ours->base.pMethods = &kMethods;
  if ((flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL)) != 0) {
    ours->path = new std::string(name);
    disk->Open(*ours->path);
  }
  return code;
}

int DeleteFile(sqlite3_vfs* vfs, const char* name, int /*sync_directory*/) {
  static_cast<ForgetfulDisk*>(vfs->pAppData)->Forget(name);
  return Default()->xDelete(Default(), name, 0);
}

}  // namespace

struct ForgetfulDisk::Vfs {
  sqlite3_vfs base;
};

ForgetfulDisk::ForgetfulDisk() : vfs_(std::make_unique<Vfs>(Vfs{.base = *Default()})) {
  static std::atomic<int> count{0};
  name_ = "forgetful-" + std::to_string(++count);
  sqlite3_vfs& vfs = vfs_->base;
  vfs.szOsFile = static_cast<int>(sizeof(File)) + Default()->szOsFile;
  vfs.pNext = nullptr;
  vfs.zName = name_.c_str();
  vfs.pAppData = this;
  vfs.xOpen = OpenFile;
  vfs.xDelete = DeleteFile;
  sqlite3_vfs_register(&vfs, 0);
}

ForgetfulDisk::~ForgetfulDisk() { sqlite3_vfs_unregister(&vfs_->base); }

namespace {

TEST(ForgetfulDisk, KeepsWhatWasSyncedAndOfTheRestWhatChanceLeaves) {
  ForgetfulDisk disk;
  const std::string sector(kSector, 'a');
  disk.Note("/x/f", {.offset = 0, .bytes = sector});
  disk.Sync("/x/f");
  disk.Note("/x/f", {.offset = 0, .bytes = std::string(2 * kSector, 'b')});
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SeededRandom random(seed);
    seen.insert(disk.Cut(random).at("f"));
  }
  const std::string b(kSector, 'b');
  EXPECT_EQ(seen, (std::set<std::string>{sector, b + b, sector + b, b}));
}

TEST(ForgetfulDisk, RunsOutOfRoom) {
  ForgetfulDisk disk;
  disk.SetRoom(10);
  EXPECT_TRUE(disk.Note("/x/f", {.offset = 0, .bytes = "12345678"}));
  EXPECT_TRUE(disk.Note("/x/f", {.offset = 0, .bytes = "over"}));
  EXPECT_FALSE(disk.Note("/x/f", {.offset = 8, .bytes = "123"}));
  disk.SetRoom(std::nullopt);
  EXPECT_TRUE(disk.Note("/x/f", {.offset = 8, .bytes = "123"}));
}

}  // namespace
}  // namespace quadra::store
