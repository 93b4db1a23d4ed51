// StoreOptions: the bounds of a store. The defaults serve; tests set smaller ones.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>

namespace quadra::store {

// How much past is kept: whatever the two least demand, but never more than the two most allow.
struct Retention {
  std::size_t least_events = 10'000;
  std::chrono::microseconds least_age = std::chrono::minutes(5);
  std::size_t most_events = 100'000;
  std::size_t most_bytes = 256UL << 20;  // of the versions that events introduced
  // Revisions from one kept snapshot to the next. Each keeps alive the blocks of its maps that were
  // written since, so they are few; undoing so many events takes some tens of milliseconds, once.
  std::size_t between_milestones = 16'384;
};

// How many writes may wait, those of the background and the others each, and how many are made
// durable with one sync.
struct InboxLimits {
  std::size_t most_waiting = 65'536;
  std::size_t most_waiting_bytes = 256UL << 20;
  std::size_t most_taken = 512;
  std::size_t most_taken_bytes = 4UL << 20;
};

struct WriterOptions {
  InboxLimits inbox;
  // How long the writer sleeps between housekeeping when nobody writes; absent: it keeps house
  // only when told to.
  std::optional<std::chrono::milliseconds> housekeeping = std::chrono::milliseconds(100);
  std::size_t compaction_step = 1000;  // revisions the log forgets at once
};

struct StoreOptions {
  Retention retention;
  WriterOptions writer;
  // Called now and then while a log is read, with how many entries were; and once at the end.
  std::function<void(std::size_t entries)> on_load = [](std::size_t) {};
};

}  // namespace quadra::store
