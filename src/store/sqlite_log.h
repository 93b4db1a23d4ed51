// SqliteLog: a Log in one SQLite file, with write-ahead log and a sync for every Append.
//
//   QUADRA_TRY(std::unique_ptr<Log> log, OpenSqliteLog(directory / "quadra.db", {}));
//   QUADRA_TRY(std::unique_ptr<Store> store, Store::Open(std::move(log), extractor, clock));
//
// Refused, each with one sentence and the next step: a file that another process uses, that is
// damaged, of another program or of a newer format, or that may not be written; and file systems of
// a network, whose locks and syncs cannot be trusted. Older formats are migrated. Files are
// readable by their owner alone.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"
#include "store/log.h"

namespace quadra::store {

struct SqliteOptions {
  std::chrono::milliseconds checkpoint_interval = std::chrono::milliseconds(100);
  // Fewer pages of 4 KB are left where they are while somebody writes.
  int least_pages_ahead = 1000;
  // Where the write-ahead log has grown to so many pages of 4 KB, because checkpoints cannot keep
  // up, the writer itself lets it begin anew.
  int most_pages_ahead = 16'384;
  // False: what was appended survives the process but not a power cut. For simulations, and to show
  // that tests notice.
  bool sync = true;
  std::string vfs;  // SQLite's name of the file system to use; empty: the system's
};

Result<std::unique_ptr<Log>> OpenSqliteLog(const std::filesystem::path& file,
                                           const SqliteOptions& options);

// Writes everything of a store, which a server may be using, to a file that does not exist yet: what
// is in it is the state of one moment.
Status BackUp(const std::filesystem::path& file, const std::filesystem::path& backup);

// Makes the file of a store from one that BackUp or Log::CopyTo wrote. Its revisions go on so much later that
// no client has seen any of them: who watched the old store is told that its revision expired. The
// file must not exist yet.
Status Restore(const std::filesystem::path& backup, const std::filesystem::path& file);

}  // namespace quadra::store
