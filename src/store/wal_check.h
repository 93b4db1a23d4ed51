// WalCheck: whether a write-ahead log was damaged, which SQLite does not tell from one whose end was
// torn by a power cut: it takes what stands before the damage and drops the rest.
//
// Each commit is synced before the next begins, so a power cut can spoil the last one alone. Where
// several commits of the same log stand behind a frame that is not as it was written, they had been
// kept, and somebody was told so.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace quadra::store {

// Of the log beside the database `file`; fine where there is none. Reads all of it.
Status CheckWal(const std::filesystem::path& file);

}  // namespace quadra::store
