// InOrder: jobs done by all cores of the machine, their results delivered in the order of the jobs.
//
//   InOrder<Finding> work([&](Finding finding) { report.Add(finding); });
//   for (const json::Manifest& manifest : manifests) {
//     work.Add([manifest] { return Judge(manifest); });    // on any thread
//   }
//   work.Finish();
//
// `deliver` is called by the thread that calls Add and Finish. Jobs must not touch what others
// change meanwhile. At most kMostWaiting results wait, so memory stays bounded; the first kFew jobs
// are done at once, so that small work starts no thread. What a job throws comes out of Add or
// Finish.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"

namespace quadra {

template <typename Result>
class InOrder {
 public:
  static constexpr std::size_t kFew = 16;
  static constexpr std::size_t kMostWaiting = 1024;

  // `threads` that work besides the caller's; with none all is done at once.
  explicit InOrder(std::function<void(Result)> deliver, std::size_t threads = Cores())
      : deliver_(std::move(deliver)), threads_(threads) {}
  InOrder(const InOrder&) = delete;
  InOrder& operator=(const InOrder&) = delete;
  // What was not delivered by now is not done, or forgotten.
  ~InOrder() {
    {
      const MutexLock lock(mutex_);
      jobs_.clear();
      jobs_.resize(workers_.size());
    }
    ready_.release(static_cast<std::ptrdiff_t>(workers_.size()));
  }

  template <typename Job>
  void Add(Job job) {
    if (threads_ == 0 || added_++ < kFew) {
      deliver_(job());
      return;
    }
    while (workers_.size() < threads_) {
      workers_.emplace_back([this] { Work(); });
    }
    std::packaged_task<Result()> task(std::move(job));
    waiting_.push_back(task.get_future());
    {
      const MutexLock lock(mutex_);
      jobs_.push_back(std::move(task));
    }
    ready_.release();
    if (waiting_.size() > kMostWaiting) {
      DeliverFirst();
    }
  }

  // Delivers all that is left.
  void Finish() {
    while (!waiting_.empty()) {
      DeliverFirst();
    }
  }

 private:
  // More than eight would wait for the one that reads.
  static std::size_t Cores() {
    const std::size_t cores = std::min(std::thread::hardware_concurrency(), 8U);
    return cores > 1 ? cores : 0;
  }

  void DeliverFirst() {
    std::future<Result> first = std::move(waiting_.front());
    waiting_.pop_front();
    deliver_(first.get());
  }

  // Until it meets a job that is none.
  void Work() QUADRA_EXCLUDES(mutex_) {
    for (std::packaged_task<Result()> job = Take(); job.valid(); job = Take()) {
      job();
    }
  }
  std::packaged_task<Result()> Take() QUADRA_EXCLUDES(mutex_) {
    ready_.acquire();
    const MutexLock lock(mutex_);
    if (jobs_.empty()) {  // forgotten
      return {};
    }
    std::packaged_task<Result()> job = std::move(jobs_.front());
    jobs_.pop_front();
    return job;
  }

  std::function<void(Result)> deliver_;
  std::size_t threads_;
  std::size_t added_ = 0;
  std::deque<std::future<Result>> waiting_;  // in order
  Mutex mutex_;
  std::deque<std::packaged_task<Result()>> jobs_ QUADRA_GUARDED_BY(mutex_);
  std::counting_semaphore<> ready_{0};  // at least one for each job
  std::vector<std::jthread> workers_;   // last, so that they end first
};

}  // namespace quadra
