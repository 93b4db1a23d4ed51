#include "store/memory_log.h"

#include <algorithm>
#include <utility>

namespace quadra::store {

Status MemoryLog::Replay(const std::function<Status(const LogEntry&)>& visit) {
  for (const auto& [revision, stored] : disk_->entries_) {
    LogEntry entry = stored.entry;
    entry.key = stored.key;
    entry.bytes = stored.bytes;
    QUADRA_RETURN_IF_ERROR(visit(entry));
  }
  return {};
}

Status MemoryLog::Append(std::span<const LogEntry> entries) {
  for (const LogEntry& entry : entries) {
    disk_->entries_.emplace(entry.revision, MemoryDisk::Stored{.entry = entry,
                                                               .key = std::string(entry.key),
                                                               .bytes = std::string(entry.bytes)});
  }
  return {};
}

Status MemoryLog::Compact(Revision through) {
  auto& entries = disk_->entries_;
  auto at = entries.upper_bound(disk_->compacted_);
  while (at != entries.end() && at->first <= through) {
    const LogEntry entry = (at++)->second.entry;
    entries.erase(entry.previous);
    if (entry.deletion) {
      entries.erase(entry.revision);
    }
  }
  disk_->compacted_ = std::max(disk_->compacted_, through);
  return {};
}

Status MemoryLog::CopyTo(const std::filesystem::path& file) {
  return Fail(Error{.kind = ErrorKind::kUnsupported,
                    .message = "a store that is kept in memory cannot be backed up",
                    .value = file.string(),
                    .remedy = "start it with a data directory"});
}

}  // namespace quadra::store
