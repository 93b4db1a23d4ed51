#include "loop/event_loop.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

namespace quadra::loop {

// The thread waits for the earliest of what it is to do. std::mutex, since the condition variable
// wants it.
class ThreadLoop::State {
 public:
  State() : thread_([this] { Work(); }) {}

  void Add(std::chrono::microseconds delay, EventLoop::Work work) {
    const Instant due = delay.count() > 0 ? std::chrono::steady_clock::now() + delay : Instant();
    const std::lock_guard lock(mutex_);
    if (stopped_) {
      return;
    }
    if (due == Instant()) {
      soon_.push_back(std::move(work));
    } else {
      later_.emplace(due, std::move(work));
    }
    changed_.notify_one();
  }

  void Stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
      changed_.notify_one();
    }
    if (thread_.joinable()) {
      thread_.join();
    }
    soon_.clear();
    later_.clear();
  }

 private:
  using Instant = std::chrono::steady_clock::time_point;

  void Work() {
    std::unique_lock lock(mutex_);
    while (!stopped_) {
      TakeDue();
      if (!soon_.empty()) {
        RunFirst(lock);
      } else if (later_.empty()) {
        changed_.wait(lock);
      } else {
        changed_.wait_until(lock, Instant(later_.begin()->first));
      }
    }
  }

  void TakeDue() {
    const Instant now = std::chrono::steady_clock::now();
    while (!later_.empty() && later_.begin()->first <= now) {
      soon_.push_back(std::move(later_.begin()->second));
      later_.erase(later_.begin());
    }
  }

  void RunFirst(std::unique_lock<std::mutex>& lock) {
    EventLoop::Work work = std::move(soon_.front());
    soon_.pop_front();
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<EventLoop::Work> soon_;
  std::multimap<Instant, EventLoop::Work> later_;
  bool stopped_ = false;
  std::thread thread_;  // last: it uses all of the above
};

ThreadLoop::ThreadLoop() : state_(std::make_unique<State>()) {}

ThreadLoop::~ThreadLoop() { state_->Stop(); }

void ThreadLoop::Post(Work work) { state_->Add({}, std::move(work)); }

void ThreadLoop::PostAfter(std::chrono::microseconds delay, Work work) {
  state_->Add(delay, std::move(work));
}

Time ThreadLoop::Now() const { return SystemClock().Now(); }

void ThreadLoop::Run(Work work) {
  std::promise<void> done;
  Post([&] {
    work();
    done.set_value();
  });
  done.get_future().wait();
}

void ThreadLoop::Stop() { state_->Stop(); }

void ManualLoop::PostAfter(std::chrono::microseconds delay, Work work) {
  MutexLock lock(mutex_);
  agenda_.emplace(now_ + std::max(delay, std::chrono::microseconds(0)), std::move(work));
}

Time ManualLoop::Now() const {
  MutexLock lock(mutex_);
  return now_;
}

std::size_t ManualLoop::RunDue() {
  std::size_t ran = 0;
  while (const Work work = TakeNext(Now())) {
    work();
    ++ran;
  }
  return ran;
}

void ManualLoop::Advance(std::chrono::microseconds by) {
  const Time end = Now() + by;
  while (const Work work = TakeNext(end)) {
    work();
  }
  MutexLock lock(mutex_);
  now_ = end;
}

bool ManualLoop::RunNext() {
  const Work work = TakeNext(Time::max());
  if (work) {
    work();
  }
  return work != nullptr;
}

Time ManualLoop::Next() const {
  MutexLock lock(mutex_);
  return agenda_.empty() ? Time::max() : agenda_.begin()->first;
}

EventLoop::Work ManualLoop::TakeNext(Time end) {
  MutexLock lock(mutex_);
  if (agenda_.empty() || agenda_.begin()->first > end) {
    return nullptr;
  }
  const auto first = agenda_.extract(agenda_.begin());
  now_ = std::max(now_, first.key());
  return std::move(first.mapped());
}

}  // namespace quadra::loop
