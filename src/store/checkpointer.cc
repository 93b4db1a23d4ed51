#include "store/checkpointer.h"

#include <algorithm>
#include <utility>

#include <sqlite3.h>

namespace quadra::store {
namespace {

void Checkpoint(Connection& connection, int mode) {
  sqlite3_wal_checkpoint_v2(connection.handle(), nullptr, mode, nullptr, nullptr);
}

}  // namespace

void CheckpointNow(Connection& connection) { Checkpoint(connection, SQLITE_CHECKPOINT_PASSIVE); }

CheckpointRhythm::Due CheckpointRhythm::Next(std::uint64_t commits, int pages) {
  if (commits != seen_) {
    seen_ = commits;
    idle_intervals_ = 0;
    return pages >= least_pages_ ? Due::kMove : Due::kNothing;
  }
  idle_intervals_ = std::min(idle_intervals_ + 1, kIdleIntervals + 1);
  return idle_intervals_ == kIdleIntervals ? Due::kCut : Due::kNothing;
}

Checkpointer::Checkpointer(Connection connection, std::chrono::milliseconds interval,
                           int least_pages)
    : connection_(std::move(connection)),
      interval_(interval),
      least_pages_(least_pages),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

Checkpointer::~Checkpointer() {
  thread_.request_stop();
  bell_.Ring();
}

void Checkpointer::Run(const std::stop_token& stop) {
  CheckpointRhythm rhythm(least_pages_);
  while (!stop.stop_requested()) {
    bell_.WaitFor(interval_);
    switch (rhythm.Next(commits_.load(std::memory_order_relaxed),
                        pages_.load(std::memory_order_relaxed))) {
      case CheckpointRhythm::Due::kNothing:
        break;
      case CheckpointRhythm::Due::kMove:
        CheckpointNow(connection_);
        break;
      case CheckpointRhythm::Due::kCut:
        Checkpoint(connection_, SQLITE_CHECKPOINT_TRUNCATE);
        break;
    }
  }
}

}  // namespace quadra::store
