// Doorbell: one thread waits, others ring.
//
//   bell.Ring();                                  // any thread, any number of times
//   bell.WaitFor(std::chrono::milliseconds(100)); // true: it rang since the last wait
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace quadra::store {

class Doorbell {
 public:
  void Ring() {
    {
      const std::lock_guard lock(mutex_);
      rang_ = true;
    }
    heard_.notify_one();
  }
  void Wait() {
    std::unique_lock lock(mutex_);
    heard_.wait(lock, [this] { return rang_; });
    rang_ = false;
  }
  bool WaitFor(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    heard_.wait_for(lock, most, [this] { return rang_; });
    return std::exchange(rang_, false);
  }

 private:
  std::mutex mutex_;
  std::condition_variable heard_;
  bool rang_ = false;
};

}  // namespace quadra::store
