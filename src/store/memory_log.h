// MemoryLog: a Log that lasts as long as the MemoryDisk it writes to. For tests and simulations: a
// "restart" is a second log on the same disk.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "store/log.h"

namespace quadra::store {

// Not thread-safe: used through one log at a time.
class MemoryDisk {
 private:
  friend class MemoryLog;
  struct Stored {
    LogEntry entry;  // its views are set where it is handed out
    std::string key;
    std::string bytes;
  };
  std::map<Revision, Stored> entries_;
  Revision compacted_ = kFirstRevision;
};

class MemoryLog final : public Log {
 public:
  explicit MemoryLog(std::shared_ptr<MemoryDisk> disk = std::make_shared<MemoryDisk>())
      : disk_(std::move(disk)) {}

  Revision Compacted() const override { return disk_->compacted_; }
  Status Replay(const std::function<Status(const LogEntry&)>& visit) override;
  Status Append(std::span<const LogEntry> entries) override;
  Status Compact(Revision through) override;
  // Always an error: there is no file.
  Status CopyTo(const std::filesystem::path& file) override;

 private:
  std::shared_ptr<MemoryDisk> disk_;
};

}  // namespace quadra::store
