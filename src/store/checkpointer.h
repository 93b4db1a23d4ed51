// Checkpointer: moves what was committed from SQLite's write-ahead log into the database, on a
// thread and a connection of its own, so that no writer waits for it.
//
// Every `interval` it moves what it can without waiting for anybody, if there is enough to move: it
// takes syncs from the disk that commits wait for. After a while without commits it moves all and
// cuts the write-ahead log to nothing. It may fail (a full disk): then the write-ahead log grows, and
// it tries again.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stop_token>
#include <thread>

#include "store/doorbell.h"
#include "store/sqlite.h"

namespace quadra::store {

// What is due after one interval after the other.
class CheckpointRhythm {
 public:
  enum class Due : std::uint8_t { kNothing, kMove, kCut };

  explicit CheckpointRhythm(int least_pages) : least_pages_(least_pages) {}

  // `commits` since the start, and the pages that are ahead of the database now.
  Due Next(std::uint64_t commits, int pages);

 private:
  static constexpr int kIdleIntervals = 10;

  const int least_pages_;
  std::uint64_t seen_ = 0;
  // Without a commit; none was seen yet, so there is nothing to cut.
  int idle_intervals_ = kIdleIntervals;
};

class Checkpointer {
 public:
  Checkpointer(Connection connection, std::chrono::milliseconds interval, int least_pages);
  ~Checkpointer();
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;

  // By the writer: something was committed, and so many pages are ahead of the database.
  void Note(int pages) {
    pages_.store(pages, std::memory_order_relaxed);
    commits_.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  void Run(const std::stop_token& stop);

  Connection connection_;
  const std::chrono::milliseconds interval_;
  const int least_pages_;
  std::atomic<std::uint64_t> commits_{0};
  std::atomic<int> pages_{0};
  Doorbell bell_;
  std::jthread thread_;  // last, so that it ends first
};

// Moves what can be moved without waiting; for a writer whose log grew while others were busy.
void CheckpointNow(Connection& connection);

}  // namespace quadra::store
