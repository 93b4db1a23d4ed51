// WorkMeters: what the work queues of a process tell of themselves, under client-go's names: how many
// keys wait and how long they did, how long looks at them take, what was put off. Part of role.h.
//
//   WorkMeters meters(registry, loop);
//   WorkQueue queue(loop, {.name = "resource_claim", .meters = &meters}, look);
//
// Threads: For and its results on the loop; what they count is printed by any thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "metrics/registry.h"

namespace quadra::client {

// Looks that have begun and not ended, of all queues: by queue and key, when they began.
class LooksUnderWay {
 public:
  void Begin(const std::string& queue, const std::string& key, Time now) QUADRA_EXCLUDES(mutex_);
  // How long it took.
  double End(const std::string& queue, const std::string& key, Time now) QUADRA_EXCLUDES(mutex_);
  // Seconds since they began, by queue: all together, and of the first.
  void ReportSum(Time now, const metrics::Report& report) const QUADRA_EXCLUDES(mutex_);
  void ReportLongest(Time now, const metrics::Report& report) const QUADRA_EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::map<std::string, absl::flat_hash_map<std::string, Time>> begun_ QUADRA_GUARDED_BY(mutex_);
};

// What one queue counts; nothing where it was default-constructed.
class WorkMeter {
 public:
  WorkMeter() = default;

  void Add() const;
  void Begin(const std::string& key, Time added, Time now) const;
  void End(const std::string& key, Time now) const;
  void PutOff() const;

 private:
  friend class WorkMeters;
  struct Series {
    std::string queue;
    metrics::Gauge& depth;
    metrics::Counter& adds;
    metrics::Counter& retries;
    metrics::Histogram& waited;
    metrics::Histogram& worked;
    LooksUnderWay& looks;
  };

  std::shared_ptr<const Series> series_;
};

class WorkMeters {
 public:
  // REQUIRES: the registry has none yet. Both must outlive it, and its meters; `clock` whatever is
  // printed.
  WorkMeters(metrics::Registry& registry, const Clock& clock);

  WorkMeter For(std::string_view queue) const;

 private:
  const std::shared_ptr<LooksUnderWay> looks_ = std::make_shared<LooksUnderWay>();
  metrics::Family<metrics::Gauge>& depth_;
  metrics::Family<metrics::Counter>& adds_;
  metrics::Family<metrics::Counter>& retries_;
  metrics::Family<metrics::Histogram>& waited_;
  metrics::Family<metrics::Histogram>& worked_;
};

}  // namespace quadra::client
