// Log: where changes become durable. The store writes it and, when opened, reads it; nothing else.
//
// A log is a list of entries in the order of revisions. What an entry replaced, and entries of
// deletions, are forgotten once Compact has passed; what stands is never forgotten. So a replay
// gives everything that is there, and all that happened after Compacted().
//
// Threads: one at a time, but CopyTo may be called by any beside them. Two kinds exist: MemoryLog
// (memory_log.h) and the one of OpenSqliteLog (sqlite_log.h).
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "store/record.h"

namespace quadra::store {

// Views what it describes: valid during the call that is given it.
struct LogEntry {
  Revision revision = 0;
  Revision created = 0;
  Revision previous = 0;  // the entry it replaces; 0: none
  bool deletion = false;
  std::string_view key;
  std::string_view bytes;
  std::optional<std::size_t> revision_at = std::nullopt;
  std::optional<Time> expires = std::nullopt;
};

class Log {
 public:
  virtual ~Log() = default;

  virtual Revision Compacted() const = 0;
  // In the order of revisions. An error of `visit` ends it.
  virtual Status Replay(const std::function<Status(const LogEntry&)>& visit) = 0;

  // All or none. When it returns without error they survive a power cut; with an error, and the
  // process going on, they are not there, and later calls may succeed. No entry: a trial whether
  // the log can be written. REQUIRES: revisions ascend and are new.
  virtual Status Append(std::span<const LogEntry> entries) = 0;

  // Forgets entries up to `through` that were replaced by one up to `through`, and deletions up to
  // it. Durable like Append. Cost: by what happened between Compacted() and `through`.
  virtual Status Compact(Revision through) = 0;

  // Writes a log that can be opened, of one moment, to a file that does not exist yet.
  virtual Status CopyTo(const std::filesystem::path& file) = 0;
};

}  // namespace quadra::store
