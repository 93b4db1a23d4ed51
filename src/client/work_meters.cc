#include "client/work_meters.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace quadra::client {
namespace {

constexpr std::array kWorkSeconds = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0};

double SecondsFrom(Time begin, Time end) {
  return std::chrono::duration<double>(end - begin).count();
}

metrics::FamilyOptions OfQueues(std::string name, std::string help) {
  return {.name = "workqueue_" + std::move(name), .help = std::move(help), .labels = {"name"}};
}

metrics::FamilyOptions SecondsOfQueues(std::string name, std::string help) {
  metrics::FamilyOptions options = OfQueues(std::move(name), std::move(help));
  options.bounds = kWorkSeconds;
  return options;
}

}  // namespace

// --- LooksUnderWay.

void LooksUnderWay::Begin(const std::string& queue, const std::string& key, Time now) {
  const MutexLock lock(mutex_);
  begun_[queue].emplace(key, now);
}

double LooksUnderWay::End(const std::string& queue, const std::string& key, Time now) {
  const MutexLock lock(mutex_);
  const auto ended = begun_[queue].extract(key);
  return ended.empty() ? 0 : SecondsFrom(ended.mapped(), now);
}

void LooksUnderWay::ReportSum(Time now, const metrics::Report& report) const {
  const MutexLock lock(mutex_);
  for (const auto& [queue, looks] : begun_) {
    double sum = 0;
    for (const auto& [key, begin] : looks) {
      sum += SecondsFrom(begin, now);
    }
    report({queue}, sum);
  }
}

void LooksUnderWay::ReportLongest(Time now, const metrics::Report& report) const {
  const MutexLock lock(mutex_);
  for (const auto& [queue, looks] : begun_) {
    double longest = 0;
    for (const auto& [key, begin] : looks) {
      longest = std::max(longest, SecondsFrom(begin, now));
    }
    report({queue}, longest);
  }
}

// --- WorkMeter.

void WorkMeter::Add() const {
  if (series_) {
    series_->adds.Add();
    series_->depth.Add(1);
  }
}

void WorkMeter::Begin(const std::string& key, Time added, Time now) const {
  if (series_) {
    series_->depth.Add(-1);
    series_->waited.Observe(SecondsFrom(added, now));
    series_->looks.Begin(series_->queue, key, now);
  }
}

void WorkMeter::End(const std::string& key, Time now) const {
  if (series_) {
    series_->worked.Observe(series_->looks.End(series_->queue, key, now));
  }
}

void WorkMeter::PutOff() const {
  if (series_) {
    series_->retries.Add();
  }
}

// --- WorkMeters.

WorkMeters::WorkMeters(metrics::Registry& registry, const Clock& clock)
    : depth_(registry.Gauges(OfQueues("depth", "How many keys wait to be looked at."))),
      adds_(registry.Counters(OfQueues("adds_total", "How many keys were added."))),
      retries_(registry.Counters(
          OfQueues("retries_total", "How many keys were put off, to be looked at later."))),
      waited_(registry.Histograms(SecondsOfQueues(
          "queue_duration_seconds", "Seconds that keys waited until they were looked at."))),
      worked_(registry.Histograms(
          SecondsOfQueues("work_duration_seconds", "Seconds that looks at keys took."))) {
  using metrics::Kind;
  registry.Compute(OfQueues("unfinished_work_seconds",
                            "Seconds that looks have taken that have not ended, all together."),
                   Kind::kGauge, [looks = looks_, &clock](const metrics::Report& report) {
                     looks->ReportSum(clock.Now(), report);
                   });
  registry.Compute(OfQueues("longest_running_processor_seconds",
                            "Seconds that the longest look has taken that has not ended."),
                   Kind::kGauge, [looks = looks_, &clock](const metrics::Report& report) {
                     looks->ReportLongest(clock.Now(), report);
                   });
}

WorkMeter WorkMeters::For(std::string_view queue) const {
  WorkMeter meter;
  meter.series_ =
      std::make_shared<const WorkMeter::Series>(WorkMeter::Series{.queue = std::string(queue),
                                                                  .depth = depth_.With({queue}),
                                                                  .adds = adds_.With({queue}),
                                                                  .retries = retries_.With({queue}),
                                                                  .waited = waited_.With({queue}),
                                                                  .worked = worked_.With({queue}),
                                                                  .looks = *looks_});
  return meter;
}

}  // namespace quadra::client
