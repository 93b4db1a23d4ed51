// Writer: the one thread that changes a store.
//
// It takes what waits, judges it as a batch, makes the batch durable with one sync, publishes it,
// and only then answers. Between batches it keeps house: expired records are deleted like any
// other, the past is forgotten in small steps, and a log that failed is tried again.
//
// Threads: Submit, Maintain and Writable by any. `done` of a write is called by the writer's
// thread, in the order of commits; it must be quick, and may submit. Destruction commits what
// waits, then stops.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/lineage.h"
#include "base/mutex.h"
#include "base/result.h"
#include "store/batch.h"
#include "store/deadlines.h"
#include "store/inbox.h"
#include "store/log.h"
#include "store/options.h"
#include "store/timeline.h"

namespace quadra::store {

class Writer {
 public:
  // What it stands on must outlive it, `extractor` too. `deadlines` are those of the head.
  struct Ground {
    Log& log;
    Timeline& timeline;
    Lineage& lineage;
    const Clock& clock;
    const Extractor& extractor;
  };
  Writer(Ground ground, WriterOptions options, Deadlines deadlines);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Where it cannot even wait, `done` is called at once by the caller's thread.
  void Submit(Write write, Done done);
  // Keeps house until nothing is left to do, and returns then.
  void Maintain();
  // Whether the last attempt to write succeeded; if not, why.
  Status Writable() const QUADRA_EXCLUDES(mutex_);

 private:
  void Run(const std::stop_token& stop);
  void Commit(std::vector<Pending> writes);
  Status Keep(const Batch& batch);

  // Each says whether it got anywhere, so that there may be more to do. Compacting fewer revisions
  // than `least` is not worth a sync.
  bool KeepHouse(Revision least_to_compact);
  bool DeleteExpired(Time now);
  bool Compact(Revision least);
  void TryAgain();
  void ServeMaintenance() QUADRA_EXCLUDES(mutex_);
  Status Note(Status status) QUADRA_EXCLUDES(mutex_);

  const Ground ground_;
  const WriterOptions options_;
  Inbox inbox_;

  // Of the thread alone.
  Revision last_;  // the greatest revision that was given, to writes that failed too
  Deadlines deadlines_;

  mutable Mutex mutex_;
  Status writable_ QUADRA_GUARDED_BY(mutex_);
  std::vector<std::promise<void>> maintenance_ QUADRA_GUARDED_BY(mutex_);

  std::jthread thread_;  // last, so that it ends first
};

}  // namespace quadra::store
