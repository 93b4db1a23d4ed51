// Loop: one thread that serves many connections, and the clock that they share.
//
// Private to src/net, as everything that shows Asio. A connection lives on one loop; whoever is
// elsewhere posts to it. Once a tick the loop asks every member what has taken too long, so that no
// connection needs a timer of its own.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include <absl/container/flat_hash_set.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "net/session.h"

namespace quadra::net {

class Transport;

class Loop {
 public:
  explicit Loop(std::chrono::milliseconds tick);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  boost::asio::io_context& context() { return context_; }
  // Any thread.
  void Post(std::function<void()> work);
  // Any thread but the loop's own, once: runs what was posted before, loses all members, and joins
  // the thread. What belongs to the context may then be destroyed.
  void Stop();

  // The rest is for the loop's own thread.
  void Join(std::shared_ptr<Transport> transport);
  void Leave(const std::shared_ptr<Transport>& transport);
  void DrainAll();
  void AbortAll();
  void AtTick(std::function<void(Instant)> work) { at_tick_ = std::move(work); }

  // Room for whoever runs at the moment; nothing in it lasts.
  struct Scratch {
    std::array<char, 64 << 10> received;
    std::string plain;
  };
  Scratch& scratch() { return *scratch_; }

 private:
  void Run();
  void ScheduleTick();
  void Tick();

  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  const std::chrono::milliseconds tick_;
  boost::asio::steady_timer timer_;
  std::unique_ptr<Scratch> scratch_ = std::make_unique<Scratch>();
  absl::flat_hash_set<std::shared_ptr<Transport>> members_;
  std::function<void(Instant)> at_tick_;
  std::thread thread_;  // last: it uses all of the above
};

// Often enough that the shortest of these is noticed soon after it has passed.
std::chrono::milliseconds TickFor(std::initializer_list<std::chrono::milliseconds> timeouts);

}  // namespace quadra::net
