// EventLoop: where the work of one role happens: one piece after the other, at the times that it
// asks for. Who owns a loop owns all state that only its work touches, and needs no lock.
//
//   loop.Post([&] { queue.Add("pod:default/train"); });
//   loop.PostAfter(std::chrono::seconds(5), [&] { Renew(); });
//
// Work that is no longer wanted finds that out when it runs; nothing can be taken back. Time is the
// loop's, so that a simulation can own it.
//
// Threads: Post, PostAfter and Now may be called by all; the work runs on one thread.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>

#include "base/clock.h"
#include "base/mutex.h"

namespace quadra::loop {

class EventLoop : public Clock {
 public:
  using Work = std::function<void()>;

  // Soon, after all that was posted before.
  virtual void Post(Work work) = 0;
  // Not before `delay` has passed. Work of the same moment runs in the order in which it was asked
  // for.
  virtual void PostAfter(std::chrono::microseconds delay, Work work) = 0;
};

// A thread of its own; wall-clock time, delays by the steady clock.
class ThreadLoop final : public EventLoop {
 public:
  ThreadLoop();
  // As Stop().
  ~ThreadLoop() override;
  ThreadLoop(const ThreadLoop&) = delete;
  ThreadLoop& operator=(const ThreadLoop&) = delete;

  void Post(Work work) override;
  void PostAfter(std::chrono::microseconds delay, Work work) override;
  Time Now() const override;

  // Runs `work` on the loop and waits for its end. Not on the loop itself.
  void Run(Work work);
  // Ends after the work that runs now; what else was posted is dropped, on the caller's thread. Not
  // on the loop itself.
  void Stop();

 private:
  class State;

  const std::unique_ptr<State> state_;
};

// Runs when it is told to, on the caller's thread; its time stands still otherwise. For tests and
// simulations: the same posts give the same order. All threads may post and ask the time; one runs.
class ManualLoop final : public EventLoop {
 public:
  explicit ManualLoop(Time start) : now_(start) {}

  void Post(Work work) override { PostAfter({}, std::move(work)); }
  void PostAfter(std::chrono::microseconds delay, Work work) override;
  Time Now() const override;

  // Runs all that is due, also what that posts. How much that was.
  std::size_t RunDue();
  // Moves time on, step by step, and runs what becomes due on the way.
  void Advance(std::chrono::microseconds by);
  // Runs the next piece of work, moving time on to it if need be; false where there is none.
  bool RunNext();
  // When the next piece of work is due; Time::max() where there is none.
  Time Next() const;

 private:
  // The next piece of work, where it is due by `end`; time moves on to it.
  Work TakeNext(Time end);

  mutable Mutex mutex_;
  Time now_ QUADRA_GUARDED_BY(mutex_);
  std::multimap<Time, Work> agenda_ QUADRA_GUARDED_BY(mutex_);
};

}  // namespace quadra::loop
