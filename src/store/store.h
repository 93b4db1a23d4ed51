// Store: keys, bytes and revisions, kept durably, read from memory, watched. The door of this
// folder. It knows nothing of what the bytes mean.
//
//   QUADRA_TRY(auto store, Store::Open(std::make_unique<MemoryLog>(), extractor, clock));
//   store->Submit(Write{.key = "pods/ns/a", .precondition = Precondition::Absent(), .draft = draft},
//                 [](const Outcome& outcome) { … });
//   const Snapshot now = store->Head();
//   auto watch = store->Watch({.prefix = "pods/", .after = now.revision()});
//
// Promises
// - Every committed change has a revision of its own; later ones are greater; none is used twice.
// - What was answered as committed, shown by a snapshot or sent to a watcher survives a power cut.
// - A write happens wholly or not at all. Who was answered sees the write in Head().
// - The past is kept as far as Retention says, also over a restart: snapshots of it and watches
//   from it work; what is older is said to be expired.
// - A log that fails (a full disk) makes the store read-only with a reason, for as long as it
//   fails. Reading goes on.
//
// Threads: everything may be called by any thread. One thread of the store's own writes; it calls
// the callbacks of Submit, which may submit but must not block, nor call Commit or Maintain.
//
// Cost: a write is O(log n) and shares one sync with all that waited; reads never touch the disk.
// All records are in memory.
#pragma once

#include <filesystem>
#include <memory>

#include "base/clock.h"
#include "base/result.h"
#include "store/log.h"
#include "store/options.h"
#include "store/record.h"
#include "store/retained.h"
#include "store/snapshot.h"
#include "store/watch.h"
#include "store/write.h"

namespace quadra::store {

class Timeline;
class Writer;

class Store {
 public:
  // Reads the log. `extractor` and `clock` must outlive the store; the clock is read by the
  // store's own thread.
  static Result<std::unique_ptr<Store>> Open(std::unique_ptr<Log> log, const Extractor& extractor,
                                             const Clock& clock, const StoreOptions& options = {});
  // Commits what was submitted, and ends all watches.
  ~Store();

  // `done` is called once: by the store's thread after the write is durable and published, or was
  // refused; by the caller's before this returns, where too much waits.
  void Submit(Write write, Done done);
  // Waits for the outcome.
  Outcome Commit(Write write);

  Snapshot Head() const;
  // The state at any revision from the oldest that is retained to the head.
  IfRetained<Snapshot> At(Revision revision) const;
  IfRetained<std::unique_ptr<store::Watch>> Watch(WatchOptions options) const;

  // Whether the last write succeeded; if not, why. It is tried again by itself.
  Status Writable() const;
  // Deletes what has expired and forgets what need not be kept; returns when that is done. The
  // store does so by itself, unless WriterOptions::housekeeping is absent.
  void Maintain();
  // Writes everything, as of one moment, to a file that does not exist yet; see Restore in
  // sqlite_log.h. Writing goes on meanwhile.
  Status BackUp(const std::filesystem::path& file);

 private:
  Store(std::unique_ptr<Log> log, std::shared_ptr<Timeline> timeline,
        std::unique_ptr<Writer> writer);

  std::unique_ptr<Log> log_;
  std::shared_ptr<Timeline> timeline_;  // watches share it
  std::unique_ptr<Writer> writer_;      // uses both
};

}  // namespace quadra::store
