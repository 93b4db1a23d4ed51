#include "store/files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statfs.h>
#include <unistd.h>

namespace quadra::store {
namespace {

// NFS, SMB, SMB2, CIFS, AFS, Ceph, 9P.
constexpr std::uint64_t kNetworkTypes[] = {0x6969,     0x517b,     0xfe534d42, 0xff534d42,
                                           0x5346414f, 0x00c36400, 0x01021997};

Status Failed(std::string_view what, const std::filesystem::path& file, int error) {
  return Fail(Error{.kind = ErrorKind::kUnreadable,
                    .message = fmt::format("{} ({})", what, std::generic_category().message(error)),
                    .value = file.string(),
                    .remedy = "check the path, its permissions and the space on the disk"});
}

Status Sync(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return Failed("cannot be opened", path, errno);
  }
  const int error = fsync(descriptor) == 0 ? 0 : errno;
  close(descriptor);
  return error == 0 ? Status{} : Failed("cannot be synced", path, error);
}

std::filesystem::path DirectoryOf(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

Status CheckAbsent(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::exists(file, error)) {
    return Fail(Error{.kind = ErrorKind::kInvalid,
                      .message = "there is a file already",
                      .value = file.string(),
                      .remedy = "move it away, or name another"});
  }
  return error ? Failed("cannot be looked for", file, error.value()) : Status{};
}

Status Place(const std::filesystem::path& from, const std::filesystem::path& to) {
  QUADRA_RETURN_IF_ERROR(Sync(from));
  if (std::rename(from.c_str(), to.c_str()) != 0) {
    return Failed("cannot be put in place", to, errno);
  }
  return Sync(DirectoryOf(to));
}

}  // namespace

Status CreatePrivate(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    return Failed("the store cannot be written", file, errno);
  }
  close(descriptor);
  return {};
}

Status CopyPrivate(const std::filesystem::path& from, const std::filesystem::path& to) {
  using std::filesystem::perms;
  std::error_code error;
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, error);
  if (!error) {
    std::filesystem::permissions(to, perms::owner_read | perms::owner_write, error);
  }
  return error ? Failed("cannot be copied", from, error.value()) : Status{};
}

Status WriteWhole(const std::filesystem::path& file,
                  const std::function<Status(const std::filesystem::path&)>& write) {
  QUADRA_RETURN_IF_ERROR(CheckAbsent(file));
  const std::filesystem::path unfinished = file.string() + ".unfinished";
  std::error_code ignored;
  std::filesystem::remove(unfinished, ignored);
  Status done = write(unfinished);
  if (done) {
    done = Place(unfinished, file);
  }
  if (!done) {
    std::filesystem::remove(unfinished, ignored);
  }
  return done;
}

Status CheckLocal(const std::filesystem::path& directory) {
  struct statfs found{};
  if (statfs(directory.empty() ? "." : directory.c_str(), &found) != 0) {
    return Failed("the directory of the store cannot be read", directory, errno);
  }
  if (!IsNetworkFileSystem(static_cast<std::uint64_t>(found.f_type))) {
    return {};
  }
  return Fail(Error{.kind = ErrorKind::kUnsupported,
                    .message = "the store cannot lie on a file system of a network",
                    .value = directory.string(),
                    .remedy = "choose a --data-dir on a local disk"});
}

bool IsNetworkFileSystem(std::uint64_t type) {
  return std::ranges::find(kNetworkTypes, type & 0xffffffff) != std::end(kNetworkTypes);
}

}  // namespace quadra::store
