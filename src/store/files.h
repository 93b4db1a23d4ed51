// Files: what the store asks of the file system besides SQLite. Errors name the path, the system's
// reason and what to look at; nothing throws.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "base/result.h"

namespace quadra::store {

// Creates it, readable by its owner alone, unless it exists.
Status CreatePrivate(const std::filesystem::path& file);

// A copy of `from`, readable by its owner alone. What was under that name is lost.
Status CopyPrivate(const std::filesystem::path& from, const std::filesystem::path& to);

// Lets write(name) make a file under another name, syncs it and gives it its own: after a power cut
// or an error there is all of it, or nothing. An error where the file exists already.
Status WriteWhole(const std::filesystem::path& file,
                  const std::function<Status(const std::filesystem::path&)>& write);

// An error where the directory lies on a file system of a network.
Status CheckLocal(const std::filesystem::path& directory);

// By the number that statfs(2) gives.
bool IsNetworkFileSystem(std::uint64_t type);

}  // namespace quadra::store
