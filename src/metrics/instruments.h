// Counter, Gauge, Histogram: single numbers that a program keeps of itself.
//
//   Counter requests;
//   requests.Add();
//   constexpr std::array kBounds = {0.1, 0.5};
//   Histogram latency{kBounds};
//   latency.Observe(0.2);        // one more in (0.1, 0.5]
//
// Threads: all members may be called by all. Cost: an atomic addition each, two for a histogram
// after a binary search; no lock, no allocation. Readers may see a histogram whose sum lags behind
// its counts by what is being observed at that moment.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace quadra::metrics {

// Only grows.
class Counter {
 public:
  void Add(std::uint64_t by = 1) { value_.fetch_add(by, std::memory_order_relaxed); }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_ = 0;
};

// Rises and falls.
class Gauge {
 public:
  void Set(std::int64_t value) { value_.store(value, std::memory_order_relaxed); }
  void Add(std::int64_t by) { value_.fetch_add(by, std::memory_order_relaxed); }
  std::int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_ = 0;
};

// How many observations fell between which bounds.
class Histogram {
 public:
  // The upper bounds of all buckets but the last, which has none; ascending. They must outlive it.
  explicit Histogram(std::span<const double> bounds);

  void Observe(double value);

  std::span<const double> bounds() const { return bounds_; }
  // Of the bucket up to `bounds()[i]`; of the last one where i is their number.
  std::uint64_t count(std::size_t i) const { return counts_[i].load(std::memory_order_relaxed); }
  double sum() const { return sum_.load(std::memory_order_relaxed); }

 private:
  const std::span<const double> bounds_;
  const std::unique_ptr<std::atomic<std::uint64_t>[]> counts_;
  std::atomic<double> sum_ = 0;
};

}  // namespace quadra::metrics
